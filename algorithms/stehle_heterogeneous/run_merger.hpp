// The merge of sorted runs on all cores of the host, the last step of the heterogeneous sort.
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
  /// Merges the runs of `from`, of which run i is [bounds[i], bounds[i + 1]), and a last one of the few elements after
  /// them, into `to`: separate arrays of the host, those of `to` aligned to a line. Reports the phase "merge".
  virtual void merge(const Buffers& from, std::span<const std::uint64_t> bounds, const Buffers& to,
                     PhaseTimer& phases) = 0;
};

/// Why `merge` does not take these elements, or nothing.
std::optional<std::string> declines_merge(Merge merge, KeyType key, ValueType value);

/// For at most kMostRuns runs, plus the few elements after them.
std::unique_ptr<RunMerger> make_run_merger(Merge merge, const Problem& problem, const Resources& resources);

/// Sorts few elements in place.
void sort_few(KeyType key, ValueType value, Array keys, Array values);

/// How merge=ours finds the smallest of the runs' heads: in registers with AVX-512, or by a tree.
enum class Heads : std::uint8_t { best, tree, vectors };
bool has_vector_chains();

// Each in a file of its own, since the library's takes long to compile.
std::unique_ptr<RunMerger> make_our_merger(const Problem& problem, const Resources& resources,
                                           Heads heads = Heads::best);
std::unique_ptr<RunMerger> make_libstdcxx_merger(const Problem& problem, const Resources& resources);

}  // namespace sortlab::heterogeneous
