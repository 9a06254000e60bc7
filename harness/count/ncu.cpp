#include "harness/count/ncu.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "harness/count/temporary_folder.hpp"
#include "harness/machine/find_program.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Subfolders of `parent` whose name begins with `prefix`, the last name (the newest version) first.
std::vector<std::string> folders_in(const fs::path& parent, std::string_view prefix, const fs::path& below = {}) {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{parent, none}) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back((entry.path() / below).string());
  }
  std::ranges::sort(found, std::greater{});
  return found;
}

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& output) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int out = open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  _exit(127);
}

/// Starts `words` in a process group of its own, its output in a file.
pid_t start(const std::vector<std::string>& words, const std::string& output) {
  const pid_t child = fork();
  if (child == 0) become(words, output);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork of ncu");
  setpgid(child, child);
  return child;
}

/// Waits up to `limit`; whether the child has ended, with its status.
bool ended(pid_t child, int& status, std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (true) {
    if (waitpid(child, &status, WNOHANG) == child) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    usleep(20'000);
  }
}

std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What `words` print, or nothing if that takes too long.
std::optional<std::string> output_of(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string output = folder.file("output");
  const pid_t child = start(words, output);
  int status = 0;
  if (ended(child, status, 20s)) return text_of(output);
  kill(-child, SIGKILL);
  waitpid(child, &status, 0);
  return std::nullopt;
}

}  // namespace

Ncu find_ncu(const std::string& given) {
  std::string path = given;
  if (path.empty()) {
    std::vector<std::string> folders = folders_in("/usr/local", "cuda", "bin");
    for (std::string& folder : folders_in("/opt/nvidia/nsight-compute", "")) folders.push_back(std::move(folder));
    const auto found = find_program("ncu", folders);
    if (!found) return {{}, {}, "no ncu on PATH, in /usr/local/cuda*/bin or in /opt/nvidia/nsight-compute"};
    path = *found;
  } else if (access(path.c_str(), X_OK) != 0 || fs::is_directory(path)) {
    return {{}, {}, fmt::format("'{}' is no program", path)};
  }
  const auto answer = output_of({path, "--version"});
  if (!answer) return {{}, {}, fmt::format("'{} --version' gives no answer within 20 s", path)};
  // "Version 2025.3.1.0 (build 36398880) (public-release)"
  std::istringstream words{*answer};
  for (std::string word; words >> word;) {
    if (word == "Version" && words >> word) return {path, word, {}};
  }
  return {{}, {}, fmt::format("'{} --version' names no version", path)};
}

std::vector<std::string> known_to(const Ncu& ncu, const std::vector<std::string>& metrics) {
  std::set<std::string> names;
  std::istringstream lines{output_of({ncu.path, "--query-metrics"}).value_or("")};
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find(' ')));
  std::vector<std::string> known;
  for (const std::string& metric : metrics) {
    if (names.contains(metric.substr(0, metric.find('.')))) known.push_back(metric);
  }
  return known;
}

NcuRun run_under_ncu(const Ncu& ncu, const std::vector<std::string>& metrics, const std::vector<std::string>& program,
                     const std::function<bool()>& too_long) {
  const TemporaryFolder folder;
  const std::string log = folder.file("log");
  const std::string output = folder.file("output");
  std::vector<std::string> words{ncu.path,
                                 "--clock-control",
                                 "none",
                                 "--cache-control",
                                 "all",
                                 "--replay-mode",
                                 "kernel",
                                 "--profile-from-start",
                                 "off",
                                 "--nvtx",
                                 "--csv",
                                 "--page",
                                 "raw",
                                 "--print-units",
                                 "base",
                                 "--print-kernel-base",
                                 "function",
                                 "--log-file",
                                 log,
                                 "--metrics",
                                 fmt::format("{}", fmt::join(metrics, ","))};
  words.insert(words.end(), program.begin(), program.end());
  const pid_t child = start(words, output);
  NcuRun run;
  int status = 0;
  while (!ended(child, status, 200ms)) {
    if (!too_long()) continue;
    // Asked to end, it still writes what it has.
    run.too_long = true;
    kill(child, SIGTERM);
    if (!ended(child, status, 20s)) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
    }
    break;
  }
  kill(-child, SIGKILL);  // what it left behind, if anything
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) throw NcuFailed(fmt::format("'{}' cannot be started", ncu.path));
  run.log = text_of(log) + text_of(output);
  return run;
}

std::string complaint_of(const std::string& log) {
  if (log.find("ERR_NVGPUCTRPERM") != std::string::npos) {
    return "the driver lets only administrators read the GPU's counters (ERR_NVGPUCTRPERM): run as root, or load the "
           "nvidia module with NVreg_RestrictProfilingToAdminUsers=0";
  }
  std::istringstream lines{log};
  constexpr std::string_view mark = "==ERROR== ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) return "ncu: " + line.substr(mark.size());
  }
  return {};
}

}  // namespace sortlab
