// What must hold of the shapes of all kernels, for as much shared memory as CMakeLists.txt names. That what each kernel
// lays out is what plan.hpp says, the kernels assert themselves.
#include "algorithms/msd_radix_gpu/plan.hpp"
#include "algorithms/msd_radix_gpu/stable_plan.hpp"

namespace sortlab::msd_gpu {
namespace {

constexpr bool classes_fit(std::uint32_t key, std::uint32_t value) {
  std::uint32_t before = 0;
  for (int c = 0; c < kClasses; ++c) {
    const Shape shape = class_shape(c, key, value);
    if (shape.items < 1 || shape.elements() < before) return false;
    if (bucket_stage_bytes(shape, key, value) > kMostDynamic) return false;
    before = shape.elements();
  }
  return merged_elements(key, value) > 0 && few_elements(key, value) >= 1024;
}
constexpr bool one_level_fits(std::uint32_t key, std::uint32_t value) {
  for (const int items : one_level_choices(key, value)) {
    if (items < 1 || one_stage_bytes(items, key, value) + kOneSharedBytes > kSharedBytes) return false;
    const std::uint32_t sample = one_level_sample(items, key, value);
    if (sample < kOneClasses || sample > kOneMostSample || sample % kMostThreads != 0) return false;
  }
  const Elements asked = elements_of(Regime::one_level, key, value);
  // A tile a thread at most, also where a device holds twice as many blocks as an H100.
  const std::uint64_t capacity = std::uint64_t{kMostThreads} * one_level_choices(key, value).back();
  return asked.least <= few_elements(key, value) + 1 && asked.most >= one_level_elements(key, value) &&
         asked.most / capacity + 264 <= kMostThreads;
}
constexpr bool partitions_fit(std::uint32_t key, std::uint32_t value) {
  const int items = tile_items(key, value);
  return items >= 1 && tile_stage_bytes(items, kDigits, key, value) <= kMostDynamic &&
         tile_stage_bytes(items, 1U << kWideBits, key, value) + (4U << kWideBits) <= kMostDynamic &&
         tile_stage_bytes(items, 1U << kMostFirstBits, key, value) <= kMostDynamic && drawn(key) >= kFewDrawn &&
         2 * drawn(key) * kThreads * key <= kMostDynamic &&
         elements_of(Regime::wide, key, value).least <= one_level_elements(key, value) + 1;
}
constexpr bool stable_fits(std::uint32_t key, std::uint32_t value) {
  if (value == 0) return true;
  for (int c = 0; c < stable::kClasses; ++c) {
    if (stable::bucket_stage_bytes(stable::class_shape(c, key, value), key, value) > kMostDynamic) return false;
  }
  return stable::tile_stage_bytes(stable::tile_items(key, value), key, value) <= kMostDynamic;
}
/// Every regime that is the usual one of an n can be asked for there, by digits that are counted at once.
constexpr bool regimes_meet(std::uint32_t key, std::uint32_t value) {
  for (std::uint64_t n = 1; n < std::uint64_t{1} << 34; n = 2 * n + 1) {
    const Plan plan = plan_of(n, key, value);
    const Elements asked = elements_of(plan.regime, key, value);
    if (n < asked.least || n > asked.most) return false;
    if (plan.top.bits() > kTopBits || (plan.top.wide && plan.top.bits() > kWideBits)) return false;
    if (plan.top.first_bits > kMostFirstBits || plan.top.second_bits > kMostSecondBits) return false;
  }
  return true;
}
constexpr bool fit(std::uint32_t key) {
  for (const std::uint32_t value : {0U, 4U, 8U}) {
    if (!classes_fit(key, value) || !one_level_fits(key, value) || !partitions_fit(key, value)) return false;
    if (!stable_fits(key, value) || !regimes_meet(key, value)) return false;
  }
  return true;
}
static_assert(fit(4) && fit(8) && fit(16));
static_assert(kTopWords * 4 <= kMostDynamic);
static_assert(!kMayCount || (1U << kCountedBits) * 2 + kCountingWindow * 2 <= kMostDynamic);
static_assert(kMayCount == (kSharedBytes >= 160 * 1024));

}  // namespace
}  // namespace sortlab::msd_gpu
