// One algorithm on one input, with everything that determines a measurement. results/README.md lists the fields.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "algorithms/component.hpp"
#include "generators/distribution.hpp"
#include "harness/cell/shards.hpp"

namespace sortlab {

/// Kind of host memory that a device copies from and to.
enum class HostMemory : std::uint8_t { pinned, pageable };
template <>
inline constexpr std::array<std::string_view, 2> kNames<HostMemory>{"pinned", "pageable"};

struct Case {
  const Algorithm* algorithm = nullptr;
  const Component* component = nullptr;  ///< the component measured; null: the sort
  Parameters parameters;                 ///< resolved; none is auto
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  Layout layout = Layout::separate;
  std::uint64_t n = 0;  ///< elements
  NamedDistribution distribution;
  bool former_input = false;  ///< true: of a record whose input this version no longer makes (Distribution::version)
  std::uint64_t seed = 1;
  Residency residency = Residency::host;
  HostMemory host_memory = HostMemory::pinned;  ///< holds input and result; residency end_to_end only
  int threads = 1;
  Devices devices{};                          ///< devices of the shards; residency shards only
  ShardSizes shard_sizes = ShardSizes::even;  ///< residency shards only
};

/// State of the caches when a timed sort begins: on the host as restoring the input leaves them, on devices with the
/// L2 cache flushed; for a sort end to end, as the copy into the host's array leaves both. Part of a cell.
constexpr std::string_view cache_state(Residency residency) {
  return residency == Residency::device || residency == Residency::shards ? "flushed" : "as restored";
}

/// Up to so many elements, a whole sort on the host is primed: the same sort of another input runs just before. What
/// caches, predictors and threads hold when it begins would otherwise depend on which sorts are measured beside it.
inline constexpr std::uint64_t kMaxPrimedElements = std::uint64_t{1} << 17;

inline bool is_primed(const Case& c) {
  return c.residency == Residency::host && c.component == nullptr && c.key != KeyType::string &&
         c.n <= kMaxPrimedElements;
}

/// Default residency of a sort's input and result.
constexpr Residency own_residency(Processor runs_on) {
  switch (runs_on) {
    case Processor::device: return Residency::device;
    case Processor::both: return Residency::end_to_end;
    case Processor::devices: return Residency::shards;
    default: return Residency::host;
  }
}

/// True for a sort whose work is all on devices, by whose profile a model predicts it.
constexpr bool is_on_devices(Processor runs_on) {
  return runs_on == Processor::device || runs_on == Processor::devices;
}

/// True if the harness copies to the device and back around the sort; a sort that runs on both copies by itself.
inline bool is_copied_around(const Case& c) {
  return c.residency == Residency::end_to_end && c.algorithm->info().runs_on != Processor::both;
}

}  // namespace sortlab
