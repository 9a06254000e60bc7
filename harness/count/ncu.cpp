#include "harness/count/ncu.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "core/child_process.hpp"
#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/machine/find_program.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// Subfolders of `parent` whose names begin with `prefix`, in descending order, so that the newest version comes first.
std::vector<std::string> folders_in(const fs::path& parent, std::string_view prefix, const fs::path& below = {}) {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{parent, none}) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back((entry.path() / below).string());
  }
  std::ranges::sort(found, std::greater{});
  return found;
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
  const auto answer = capture_output({.words = {path, "--version"}});
  if (!answer) return {{}, {}, fmt::format("'{} --version' gives no answer within 20 s", path)};
  // "Version 2025.3.1.0 (build 36398880) (public-release)"
  std::istringstream words{*answer};
  for (std::string word; words >> word;) {
    if (word == "Version" && words >> word) return {path, word, {}};
  }
  return {{}, {}, fmt::format("'{} --version' names no version", path)};
}

std::vector<std::string> known_metrics(const Ncu& ncu, const std::vector<std::string>& metrics) {
  std::set<std::string> names;
  std::istringstream lines{capture_output({.words = {ncu.path, "--query-metrics"}}).value_or("")};
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
  const ChildOutput run = run_child({.words = words}, too_long);
  return {.log = read_file(log).value_or("") + run.text, .too_long = run.too_long};
}

std::string find_complaint(const std::string& log) {
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
