// Compile-time checks of the kernels' shapes for each size of shared memory that CMakeLists.txt names. The kernels
// themselves assert that their layout agrees with plan.hpp.
#include "algorithms/msd_radix_gpu/plan.hpp"
#include "algorithms/msd_radix_gpu/stable_plan.hpp"

namespace sortlab::msd_gpu {
namespace {

constexpr bool classes_fit(std::uint32_t key, std::uint32_t value) {
  std::uint32_t before = 0;
  for (int c = 0; c < kClasses; ++c) {
    const Shape shape = class_shape(c, key, value);
    if (shape.items < 1 || shape.elements() < before) return false;
    if (bucket_stage_bytes(shape, key, value) > kMaxDynamicBytes) return false;
    before = shape.elements();
  }
  return merged_elements(key, value) > 0 && one_block_elements(key, value) >= 1024;
}
constexpr bool one_level_fits(std::uint32_t key, std::uint32_t value) {
  for (const int items : one_level_choices(key, value)) {
    if (items < 1 || one_level_stage_bytes(items, key, value) + kOneLevelStaticBytes > kSharedBytes) return false;
    const std::uint32_t sample = one_level_sample(items, key, value);
    if (sample < kOneLevelMaxClasses || sample > kOneLevelMaxSample || sample % kMaxThreads != 0) return false;
  }
  const ElementRange asked = regime_elements(Regime::one_level, key, value);
  // At most one tile per thread, also on a device with twice the blocks of an H100.
  const std::uint64_t capacity = std::uint64_t{kMaxThreads} * one_level_choices(key, value).back();
  return asked.min <= one_block_elements(key, value) + 1 && asked.max >= one_level_elements(key, value) &&
         asked.max / capacity + 264 <= kMaxThreads;
}
constexpr bool partitions_fit(std::uint32_t key, std::uint32_t value) {
  const int items = tile_items(key, value);
  return items >= 1 && tile_stage_bytes(items, kDigits, key, value) <= kMaxDynamicBytes &&
         tile_stage_bytes(items, 1U << kWideBits, key, value) + (4U << kWideBits) <= kMaxDynamicBytes &&
         tile_stage_bytes(items, 1U << kMaxFirstBits, key, value) <= kMaxDynamicBytes &&
         large_draw(key) >= kSmallDraw && 2 * large_draw(key) * kThreads * key <= kMaxDynamicBytes &&
         regime_elements(Regime::wide, key, value).min <= one_level_elements(key, value) + 1;
}
constexpr bool stable_fits(std::uint32_t key, std::uint32_t value) {
  if (value == 0) return true;
  for (int c = 0; c < stable::kClasses; ++c) {
    if (stable::bucket_stage_bytes(stable::class_shape(c, key, value), key, value) > kMaxDynamicBytes) return false;
  }
  return stable::tile_stage_bytes(stable::tile_items(key, value), key, value) <= kMaxDynamicBytes;
}
/// True if every n can be sorted by its default regime, with digits that one pass counts.
constexpr bool regimes_meet(std::uint32_t key, std::uint32_t value) {
  for (std::uint64_t n = 1; n < std::uint64_t{1} << 34; n = 2 * n + 1) {
    const Plan plan = make_plan(n, key, value);
    const ElementRange asked = regime_elements(plan.regime, key, value);
    if (n < asked.min || n > asked.max) return false;
    if (plan.top.bits() > kTopBits || (plan.top.wide && plan.top.bits() > kWideBits)) return false;
    if (plan.top.first_bits > kMaxFirstBits || plan.top.second_bits > kMaxSecondBits) return false;
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
static_assert(kTopWords * 4 <= kMaxDynamicBytes);
static_assert(!kMayCount || (1U << kCountedBits) * 2 + kCountingWindow * 2 <= kMaxDynamicBytes);
static_assert(kMayCount == (kSharedBytes >= 160 * 1024));

}  // namespace
}  // namespace sortlab::msd_gpu
