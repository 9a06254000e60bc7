#include "harness/machine/interrupts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace sortlab {
namespace {

/// Cuts the next word off a line; empty at its end.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

std::optional<std::int64_t> parse_number(std::string_view word) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional{number} : std::nullopt;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The text of a file; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

std::map<int, InterruptCount> parse_interrupts(std::string_view text) {
  std::map<int, InterruptCount> counts;
  std::map<int, std::array<std::int64_t, 2>> profiling;  // NMI and PMI: some systems count one interrupt in both
  std::vector<int> cpus;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::string_view name = take_word(line);
    if (name.starts_with("CPU")) {  // the heading names the processors that are online
      for (; name.starts_with("CPU"); name = take_word(line)) {
        cpus.push_back(static_cast<int>(parse_number(name.substr(3)).value_or(-1)));
      }
      continue;
    }
    if (!name.ends_with(':')) continue;
    name.remove_suffix(1);
    std::vector<std::int64_t> row;
    for (std::string_view rest = line; row.size() < cpus.size(); line = rest) {
      const auto number = parse_number(take_word(rest));
      if (!number) break;
      row.push_back(*number);
    }
    const bool is_device = is_number(name);
    // Arm and RISC-V have the tick in a row like those of devices: "arch_timer".
    const bool is_timer = name == "LOC" || (is_device && line.find("timer") != std::string_view::npos);
    const bool is_call = line.find("Function call") != std::string_view::npos || name == "TLB";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (is_timer) {
        counts[cpus[i]].timer += row[i];
      } else if (is_device || name == "IWI") {
        counts[cpus[i]].others += row[i];
      } else if (is_call) {
        counts[cpus[i]].calls += row[i];
      } else if (name == "NMI" || name == "PMI") {
        profiling[cpus[i]][name == "NMI" ? 0 : 1] += row[i];
      }
    }
  }
  for (const auto& [cpu, both] : profiling) counts[cpu].others += std::max(both[0], both[1]);
  std::erase_if(
      counts, [](const auto& of_cpu) { return of_cpu.second.timer + of_cpu.second.others + of_cpu.second.calls == 0; });
  return counts;
}

bool are_interrupts_shown(const std::filesystem::path& file) {
  return !parse_interrupts(read_text(file)).empty();
}

InterruptRates::InterruptRates(std::filesystem::path file) : file_(std::move(file)) {
  read();
}

void InterruptRates::begin() {
  if (is_due()) read();
}

std::optional<double> InterruptRates::end(const std::vector<int>& cpus) {
  if (counts_.empty()) return std::nullopt;
  while (per_s_.empty() && !is_due()) {
  }
  if (is_due()) read();
  std::optional<double> most;
  for (const int cpu : cpus) {
    const auto found = per_s_.find(cpu);
    if (found == per_s_.end()) continue;
    const Rate& rate = found->second;
    most = std::max(most.value_or(0), rate.beyond_tick + (cpus.size() == 1 ? rate.calls : 0));
  }
  return most;
}

void InterruptRates::read() {
  constexpr double kMaxTicks = 1000;  // a second, of a kernel built with the shortest tick
  constexpr int kShareOfTime = 20;
  const auto begun = RawClock::now();
  std::map<int, InterruptCount> counts = parse_interrupts(read_text(file_));
  const auto now = RawClock::now();
  per_s_.clear();
  const double seconds = std::chrono::duration<double>(now - at_).count();
  for (const auto& [cpu, count] : counts) {
    const auto before = counts_.find(cpu);
    if (before == counts_.end()) continue;
    const double timer = static_cast<double>(count.timer - before->second.timer) / seconds;
    const double others = static_cast<double>(count.others - before->second.others) / seconds;
    const double calls = static_cast<double>(count.calls - before->second.calls) / seconds;
    per_s_[cpu] = {.beyond_tick = std::max(0.0, timer - kMaxTicks) + std::max(0.0, others),
                   .calls = std::max(0.0, calls)};
  }
  counts_ = std::move(counts);
  at_ = now;
  least_ = std::max<std::chrono::duration<double>>(least_, kShareOfTime * (now - begun));
}

}  // namespace sortlab
