#include "harness/record/run_record.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "harness/machine/build_info.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/modules.hpp"

namespace sortlab {

using nlohmann::ordered_json;

RunIdentity new_run() {
  const auto now = fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  return {.id = fmt::format("{:%Y%m%dT%H%M%SZ}-{:06x}", now, std::random_device{}() & 0xffffff),
          .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now)};
}

std::string note_on_later_runs(const std::vector<ordered_json>& records) {
  const std::string now = new_run().started;
  std::string last;
  std::size_t count = 0;
  for (const ordered_json& record : records) {
    if (record.at("kind") != "run" || record.at("started").get<std::string>() <= now) continue;
    last = std::max(last, record.at("started").get<std::string>());
    ++count;
  }
  if (count == 0) return "";
  return fmt::format(
      "holds {} that began later than now, by this machine's clock (at {}): one of the clocks is wrong, and {} as "
      "newer than what is measured today",
      count == 1 ? "a run" : fmt::format("{} runs", count), last, count == 1 ? "its cells count" : "their cells count");
}

ordered_json run_record(const RunIdentity& run, const RunRequest& asked) {
  ordered_json build = build_record();
  if (ordered_json modules = modules_record(); !modules.empty()) build["modules"] = std::move(modules);
  const auto text = [](const std::string& s) { return s.empty() ? ordered_json() : ordered_json(s); };
  ordered_json request{{"command", without_key_paths(asked.command)},
                       {"config", text(asked.config)},
                       {"config_digest", text(asked.config_digest)},
                       {"filter", text(asked.filter)},
                       {"shard", asked.shard}};
  if (!asked.validation.empty()) request["validation"] = asked.validation;
  return {{"schema", 1},
          {"kind", "run"},
          {"run", run.id},
          {"started", run.started},
          {"machine", machine_record()},
          {"environment", environment_record()},
          {"build", std::move(build)},
          {"asked", std::move(request)}};
}

std::vector<std::string> without_key_paths(std::vector<std::string> words) {
  // "--input PATH PATH", "--input=PATH", "--dist file:PATH", "--dist=lines:PATH", "-dfile:PATH", each with options
  // after it.
  const auto shorten = [](std::string& word, std::size_t begin) {
    const std::size_t slash = word.rfind('/');
    if (slash != std::string::npos && slash >= begin) word.erase(begin, slash + 1 - begin);
  };
  constexpr std::string_view joined = "--input=";
  bool is_input = false;
  for (std::string& word : words) {
    if (word.starts_with('-')) is_input = word == "--input";
    if (const std::size_t file = std::min(word.find("file:"), word.find("lines:")); file != std::string::npos) {
      shorten(word, word.find(':', file) + 1);
    } else if (word.starts_with(joined)) {
      shorten(word, joined.size());
    } else if (is_input) {
      shorten(word, 0);
    }
  }
  return words;
}

std::vector<std::string> command_line() {
  std::ifstream file{"/proc/self/cmdline", std::ios::binary};
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace sortlab
