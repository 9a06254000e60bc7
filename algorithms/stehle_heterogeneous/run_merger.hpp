// Interface of the merge of sorted runs on all host cores, the last step of the heterogeneous sort.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "algorithms/plugin.hpp"
#include "core/choice.hpp"

namespace sortlab::heterogeneous {

enum class Merge : std::uint8_t { ours, libstdcxx };
inline constexpr std::array kMerges{Choice<Merge>{"ours", Merge::ours}, Choice<Merge>{"libstdcxx", Merge::libstdcxx}};

class RunMerger {
 public:
  virtual ~RunMerger() = default;
  virtual std::uint64_t scratch_bytes() const { return 0; }
  /// Merges the runs of `from` into `to`. Run i is [bounds[i], bounds[i + 1]); the elements that remain after the
  /// chunks form a last run. All arrays are separate arrays on the host, those of `to` aligned to a cache line. Reports
  /// the phase "merge".
  virtual void merge(const Buffers& from, std::span<const std::uint64_t> bounds, const Buffers& to,
                     PhaseTimer& phases) = 0;
};

/// The reason `merge` does not take these types, or nullopt.
std::optional<std::string> declines_merge(Merge merge, KeyType key, ValueType value);

/// A merger of at most kMaxRuns runs, plus the remaining elements.
std::unique_ptr<RunMerger> make_run_merger(Merge merge, const Problem& problem, const Resources& resources);

/// Sorts a few elements in place.
void sort_remainder(KeyType key, ValueType value, Array keys, Array values);

/// Method by which merge=ours finds the smallest head of the runs: in AVX-512 registers, or by a loser tree.
enum class Heads : std::uint8_t { best, tree, vectors };
bool has_vector_chains();

// Each in a file of its own, since the library's merge takes long to compile.
std::unique_ptr<RunMerger> make_our_merger(const Problem& problem, const Resources& resources,
                                           Heads heads = Heads::best);
std::unique_ptr<RunMerger> make_libstdcxx_merger(const Problem& problem, const Resources& resources);

}  // namespace sortlab::heterogeneous
