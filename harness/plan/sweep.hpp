// Sweeps, from a config file or the command line, and their cells. A sweep is the product of its lists.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/plan/tuning.hpp"

namespace sortlab {

/// An algorithm with its given preset and parameters, which override the preset.
struct AlgorithmChoice {
  const Algorithm* algorithm = nullptr;
  std::string preset;  ///< empty: none
  GivenParameters parameters{};
  const Component* component = nullptr;  ///< null: the sort
};

/// The lists of a sweep, whose product it is.
struct Sweep {
  std::string where;  ///< place for messages: "configs/quick.json: sweeps[0]"; empty for the command line
  std::vector<AlgorithmChoice> algorithms;
  std::vector<KeyType> keys{KeyType::u32};
  std::vector<ValueType> values{ValueType::none};
  std::vector<std::uint64_t> n;
  std::vector<NamedDistribution> distributions;
  std::vector<int> threads{1};
  std::vector<std::uint64_t> seeds{1};
  std::vector<Residency> residency{};                       ///< empty: each algorithm's own
  std::vector<HostMemory> host_memory{HostMemory::pinned};  ///< for residency end_to_end
  std::vector<Devices> devices{Devices{}};                  ///< for residency shards
  std::vector<ShardSizes> shard_sizes{ShardSizes::even};    ///< for residency shards
  std::optional<Layout> layout;                             ///< layout of pairs; none: each algorithm's first
  Protocol protocol;
};

/// Lists that the author of a sweep gave. The others come from the files among its distributions.
struct GivenLists {
  bool keys = false;
  bool n = false;
  /// Value type of a file's cells by the distribution's text, where one of its columns is the payload. Empty if the
  /// value types are given.
  std::map<std::string, ValueType> values{};
};

/// Divides a sweep so that each file among its distributions (Distribution::extent) is swept with its own key type and
/// number of keys, unless they are given, and the other distributions with those of each file. Without files, the sweep
/// itself. Throws BadInput for a file whose key type is not among those given, and for more keys than it holds.
std::vector<Sweep> sweep_files(const Sweep& sweep, const GivenLists& given);

/// The cells of all sweeps, each once (the first of duplicates), with resolved parameters. `tunings` resolves the
/// preset `tuned` and `auto` parameters if it has the case, otherwise `choose` does, by default this machine's choice
/// (resolve_automatic()). Throws BadInput for a parameter out of range, a preset that no algorithm has, or more records
/// than fit into memory. Other cells that are too large for this machine are included (see reason_to_skip()).
std::vector<Cell> expand_sweeps(const std::vector<Sweep>& sweeps, const Tunings& tunings = local_tunings(),
                                const std::function<void(Case&)>& choose = {});

/// True for a preset of the sort's own, and for `tuned` if a tuning of it is kept on this machine.
bool has_preset(const Algorithm& algorithm, std::string_view preset);
/// Throws BadInput unless the algorithm has this preset.
void check_preset(const Algorithm& algorithm, std::string_view preset);

}  // namespace sortlab
