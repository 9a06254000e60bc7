#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/printable.hpp"
#include "harness/commands/commands.hpp"
#include "harness/predict/profiles.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {
namespace {

/// The figures of a GPU's datasheet; those that are not given are the other GPU's.
struct Datasheet {
  std::string id;
  std::string from;
  std::string out;
  std::string name;
  std::string source;
  std::string compute_capability;
  double clock_hz = 0;
  int multiprocessors = 0;
  double bandwidth = 0;
  double memory_bytes = 0;
  double l2_bytes = 0;
  double shared_bytes = 0;
};

void set_cache(MachineProfile& machine, std::string_view level, double bytes) {
  for (auto& [name, size] : machine.cache_bytes) {
    if (name == level) size = bytes;
  }
}

MachineProfile described(const Datasheet& sheet) {
  MachineProfile machine = datasheet_named(sheet.from);
  machine.id = sheet.id;
  machine.name = sheet.name;
  machine.source = sheet.source;
  std::vector<std::string> taken;
  const auto figure = [&](const char* option, bool given, const auto& set) {
    if (given) {
      set();
    } else {
      taken.emplace_back(option);
    }
  };
  figure("--clock-hz", sheet.clock_hz > 0, [&] { machine.clock_hz = sheet.clock_hz; });
  figure("--multiprocessors", sheet.multiprocessors > 0, [&] { machine.cores = sheet.multiprocessors; });
  figure("--bandwidth", sheet.bandwidth > 0, [&] {
    ProfileTable& bandwidth = machine.tables.at("datasheet.bandwidth");
    bandwidth.source = sheet.source;
    bandwidth.points = {{.at = {}, .value = sheet.bandwidth, .ci95 = {}}};
  });
  figure("--memory-bytes", sheet.memory_bytes > 0, [&] { machine.memory_bytes = sheet.memory_bytes; });
  figure("--l2-bytes", sheet.l2_bytes > 0, [&] { set_cache(machine, "L2", sheet.l2_bytes); });
  figure("--shared-bytes", sheet.shared_bytes > 0, [&] { set_cache(machine, "shared", sheet.shared_bytes); });
  figure("--compute-capability", !sheet.compute_capability.empty(),
         [&] { machine.compute_capability = sheet.compute_capability; });
  if (!taken.empty()) {
    tell(fmt::format("note: taken from {}: {}", sheet.from, fmt::join(taken, ", ")));
    machine.source += fmt::format("; from {}: {}", sheet.from, fmt::join(taken, ", "));
  }
  return machine;
}

}  // namespace

void add_machine(CLI::App& app) {
  CLI::App* command = app.add_subcommand("machine", "Describes a GPU that is not here by its datasheet");
  command->require_subcommand(1);
  const auto sheet = std::make_shared<Datasheet>();
  CLI::App* make = command->add_subcommand(
      "new",
      "Writes a description for --machine of `predict` and `what-if`: the figures given, the others of a GPU "
      "that is described already");
  make->add_option("ID", sheet->id, "Lower-case letters and digits, joined by '_'")->required();
  make->add_option("--from", sheet->from, "A GPU of models/machines with origin datasheet, or such a file")->required();
  make->add_option("--name", sheet->name, "The GPU's name")->required();
  make->add_option("--source", sheet->source, "Document that states the figures")->required();
  make->add_option("--out,-o", sheet->out, "File to write; default: ID.json");
  make->add_option("--clock-hz", sheet->clock_hz, "Boost clock")->check(CLI::Range(1e6, 1e12));
  make->add_option("--multiprocessors", sheet->multiprocessors)->check(CLI::Range(1, 1'000'000));
  make->add_option("--bandwidth", sheet->bandwidth, "Peak bandwidth of its memory in B/s")
      ->check(CLI::Range(1e6, 1e18));
  make->add_option("--memory-bytes", sheet->memory_bytes)->check(CLI::Range(1e6, 1e18));
  make->add_option("--l2-bytes", sheet->l2_bytes, "Size of the second-level cache")->check(CLI::Range(1e3, 1e18));
  make->add_option("--shared-bytes", sheet->shared_bytes, "Shared memory of a multiprocessor")
      ->check(CLI::Range(1e3, 1e18));
  make->add_option("--compute-capability", sheet->compute_capability, "As 8.9");
  const std::string example =
      "Example: sortlab machine new rtx_4090 --from rtx_5090 --name 'RTX 4090' --source 'NVIDIA Ada whitepaper' "
      "--compute-capability 8.9 --multiprocessors 128 --clock-hz 2.52e9 --bandwidth 1008e9 --l2-bytes 75497472 "
      "--memory-bytes 25769803776";
  command->footer(example);
  make->footer(example);
  make->callback([sheet] {
    MachineProfile machine = described(*sheet);
    const std::filesystem::path out = sheet->out.empty() ? sheet->id + ".json" : sheet->out;
    if (std::filesystem::exists(out)) throw BadInput(fmt::format("--out: {} exists; name a new file", out.string()));
    write_profile(machine, out.string());
    try {
      static_cast<void>(profile_named(out.string()));
    } catch (...) {  // a figure that no GPU has
      std::filesystem::remove(out);
      throw;
    }
    fmt::print("{}: {} cores at {:.4g} Hz; `sortlab predict --machine {}` predicts from it, by kind `scaled`\n",
               printable(out.string()), machine.cores, machine.clock_hz, printable(out.string()));
  });
}

}  // namespace sortlab
