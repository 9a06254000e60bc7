#include "tests/fuzz/targets.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "core/printable.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/compare/compare.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/config.hpp"
#include "harness/plan/shard.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/run/duration.hpp"
#include "models/machine_profile.hpp"

namespace sortlab::fuzz {
namespace {

/// The name of an in-memory file that holds the bytes until the next call.
std::string memory_file(Bytes bytes) {
  static const int file = memfd_create("foreign", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, 0) != 0 ||
      pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "a file in memory");
  }
  return fmt::format("/proc/self/fd/{}", file);
}

/// Calls `f`, which may throw BadInput with a one-line message.
template <class F>
void may_refuse(F&& f) {
  try {
    f();
  } catch (const BadInput& error) {
    const std::string line = printable(error.what());
    if (line.empty() || line.size() > 100'000) throw std::logic_error("a refusal in " + std::to_string(line.size()));
  }
}

/// Checks that a cell is the same after writing and reading it.
void check_cell(const Case& c) {
  const std::string id = cell_id(c);
  if (cell_id(case_from_json(to_json(c), "case")) != id) {
    throw std::logic_error("a cell has another id once it is read again: " + case_text(c));
  }
}

/// The cells of a small sweep, on inputs that are made quickly.
void plan(const Sweep& sweep) {
  constexpr std::size_t most_cells = 64, most_elements = 4096;
  std::size_t cells = 1;
  for (const std::size_t choices :
       {sweep.algorithms.size(), sweep.keys.size(), sweep.values.size(), sweep.n.size(), sweep.distributions.size(),
        sweep.seeds.size(), sweep.threads.size(), sweep.residency.size() + 1, sweep.host_memory.size()}) {
    cells *= std::min(choices, most_cells + 1);
    if (cells > most_cells) return;
  }
  if (std::ranges::any_of(sweep.n, [](std::uint64_t n) { return n > most_elements; })) return;
  const auto no_choice = [](Case&) {};
  for (const Cell& cell : expand_sweeps({sweep}, Tunings{}, no_choice)) check_cell(cell.subject);
}

/// Cells for filters.
const std::vector<Cell>& one_cell() {
  static const std::vector<Cell> cells = [] {
    CaseOptions options;
    options.algorithms = {"std_sort"};
    return expand_sweeps(make_sweeps(options, Protocol{}), Tunings{}, [](Case&) {});
  }();
  return cells;
}

}  // namespace

void config(Bytes bytes) {
  const std::string file = memory_file(bytes);
  may_refuse([&] {
    for (const Sweep& sweep : read_config(file).sweeps) may_refuse([&] { plan(sweep); });
  });
}

void record(Bytes bytes) {
  const std::string file = memory_file(bytes);
  may_refuse([&] {
    for (const nlohmann::ordered_json& record : read_records(file).records) {
      if (record.contains("case")) may_refuse([&] { check_cell(case_from_json(record["case"], "case")); });
    }
  });
  may_refuse([&] { static_cast<void>(compare(file, file)); });
}

void profile(Bytes bytes) {
  const std::string file = memory_file(bytes);
  may_refuse([&] {
    const MachineProfile machine = read_profile(file);
    static_cast<void>(to_json(machine).dump());
    try {
      static_cast<void>(machine.at("copy", {1, 1e6}));
    } catch (const MissingQuantity&) {
    }
  });
}

void command_line(Bytes bytes) {
  std::vector<std::string> arguments;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    arguments.emplace_back(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  for (const std::string& argument : arguments) {
    may_refuse([&] { parse_shard(argument); });
    may_refuse([&] { parse_duration(argument); });
    may_refuse([&] { static_cast<void>(matching(one_cell(), argument)); });
  }
  std::ranges::reverse(arguments);  // CLI11 takes the first from the back
  CaseOptions options;
  CLI::App app;
  add_case_options(app, options, false);
  try {
    app.parse(arguments);
  } catch (const CLI::Error&) {
    return;
  }
  may_refuse([&] {
    for (const Sweep& sweep : make_sweeps(options, Protocol{})) plan(sweep);
  });
}

}  // namespace sortlab::fuzz
