// What to measure: sweeps, each a product of its lists, from a config file or from the command line; and their cells.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/plan/tuning.hpp"

namespace sortlab {

/// An algorithm with what was given for it; parameters override the preset.
struct AlgorithmChoice {
  const Algorithm* algorithm = nullptr;
  std::string preset;  ///< empty: none
  GivenParameters parameters{};
  const Component* component = nullptr;  ///< null: the sort
};

/// The product of all its lists.
struct Sweep {
  std::string where;  ///< for messages: "configs/quick.json: sweeps[0]"; empty on the command line
  std::vector<AlgorithmChoice> algorithms;
  std::vector<KeyType> keys{KeyType::u32};
  std::vector<ValueType> values{ValueType::none};
  std::vector<std::uint64_t> n;
  std::vector<NamedDistribution> distributions;
  std::vector<int> threads{1};
  std::vector<std::uint64_t> seeds{1};
  std::vector<Residency> residency{};                       ///< empty: each algorithm's own
  std::vector<HostMemory> host_memory{HostMemory::pinned};  ///< for residency end_to_end
  std::optional<Layout> layout;                             ///< of pairs; none: each algorithm's own first
  Protocol protocol;
};

/// The cells of all sweeps, each once (of duplicates the first), parameters resolved; the preset `tuned` and `auto`
/// parameters by `tunings` where they have the case, else by `choose`, by default this machine's choice
/// (resolve_automatic). Throws BadInput for a parameter out of range, a preset that no algorithm has, or more records
/// than fit in memory. Other cells too large for this machine are included (reason_to_skip).
std::vector<Cell> expand_sweeps(const std::vector<Sweep>& sweeps, const Tunings& tunings = local_tunings(),
                                const std::function<void(Case&)>& choose = {});

/// Throws BadInput unless the algorithm has this preset.
void check_preset(const Algorithm& algorithm, std::string_view preset);

}  // namespace sortlab
