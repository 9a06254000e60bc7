#include "harness/count/callgrind.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/child_process.hpp"
#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/count/host_counters.hpp"
#include "harness/machine/find_program.hpp"
#include "harness/measure/counted_call.hpp"

namespace sortlab {
namespace {

const std::string kBeforeCall = fmt::format("--dump-before={}", kCountedCall);
const std::string kAfterCall = fmt::format("--dump-after={}", kCountedCall);
const std::string kAtReading = fmt::format("--dump-before={}", kPhaseReading);

std::map<std::string, double> by_our_names(const std::map<std::string, double>& events) {
  std::map<std::string, double> counters;
  for (const HostCounter& counter : kHostCounters) {
    if (counter.event.empty()) continue;
    const auto found = events.find(std::string{counter.event});
    counters[std::string{counter.name}] = found == events.end() ? 0 : found->second;
  }
  return counters;
}

}  // namespace

Valgrind find_valgrind(const std::string& given) {
  std::string path = given;
  if (path.empty()) {
    const auto found = find_program("valgrind");
    if (!found) return {{}, {}, "no valgrind on PATH"};
    path = *found;
  } else if (access(path.c_str(), X_OK) != 0 || std::filesystem::is_directory(path)) {
    return {{}, {}, fmt::format("'{}' is no program", path)};
  }
  const auto answer = capture_output({.words = {path, "--version"}});
  if (!answer) return {{}, {}, fmt::format("'{} --version' gives no answer within 20 s", path)};
  constexpr std::string_view mark = "valgrind-";  // "valgrind-3.19.0"
  if (!answer->starts_with(mark)) return {{}, {}, fmt::format("'{} --version' names no version", path)};
  return {path, answer->substr(mark.size(), answer->find_first_of(" \n") - mark.size()), {}};
}

std::vector<CallgrindPart> callgrind_parts(const std::string& text) {
  std::vector<CallgrindPart> parts;
  std::vector<std::string> names;
  std::istringstream lines{text};
  bool whole = true;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string word;
    words >> word;
    if (word == "part:") {
      parts.emplace_back();
      whole = false;
    } else if (line.starts_with("desc: Trigger: ") && !parts.empty()) {
      parts.back().trigger = line.substr(std::string_view{"desc: Trigger: "}.size());
    } else if (word == "events:") {
      names.clear();
      while (words >> word) names.push_back(word);
    } else if (word == "totals:" && !parts.empty()) {
      // Callgrind omits trailing zeros.
      double count = 0;
      for (const std::string& name : names) parts.back().events[name] = words >> count ? count : 0;
      whole = true;
    }
  }
  if (!whole) parts.pop_back();
  return parts;
}

std::vector<std::vector<std::map<std::string, double>>> counted_calls(const std::vector<CallgrindPart>& parts) {
  std::vector<std::vector<std::map<std::string, double>>> calls;
  std::vector<std::map<std::string, double>> call;
  for (const CallgrindPart& part : parts) {
    if (part.trigger == kBeforeCall) {
      call.clear();
      continue;
    }
    call.push_back(by_our_names(part.events));
    if (part.trigger != kAfterCall) continue;
    calls.push_back(std::move(call));
    call.clear();
  }
  return calls;
}

CallgrindRun run_under_callgrind(const Valgrind& valgrind, const std::vector<std::string>& program,
                                 const std::function<bool()>& too_long) {
  const TemporaryFolder folder;
  const std::string file = folder.file("callgrind");
  std::vector<std::string> words{valgrind.path,
                                 "--command-line-only=yes",  // a user's .valgrindrc may turn counting off
                                 "--tool=callgrind",
                                 "--cache-sim=yes",
                                 "--branch-sim=yes",
                                 "--I1=32768,8,64",
                                 "--D1=32768,8,64",
                                 "--LL=8388608,16,64",
                                 fmt::format("--toggle-collect={}", kCountedCall),
                                 kBeforeCall,
                                 kAfterCall,
                                 kAtReading,
                                 "--combine-dumps=yes",
                                 "--callgrind-out-file=" + file};
  words.insert(words.end(), program.begin(), program.end());
  // LD_BIND_NOW binds library functions when the program starts, and not within the first sort that calls them.
  const ChildOutput run = run_child({.words = words, .environment = {{"LD_BIND_NOW", "1"}}}, too_long);
  return {.file = read_file(file).value_or(""), .log = run.text, .too_long = run.too_long};
}

}  // namespace sortlab
