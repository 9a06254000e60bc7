// Sorts by CUB's kernels with digits of a chosen width.
#pragma once

#include "algorithms/common/cuda/cub_radix_policy.cuh"
#include "algorithms/common/cuda/cub_radix_sorter.cuh"
#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/cub_radix_lsd/plan.hpp"

namespace sortlab::cub_lsd {

template <class K, class V, int DigitBits, Form F>
using PolicyHub =
    cub_radix_policy::Hub<K, CubValue<V>, CubOffset, DigitBits,
                          F == Form::onesweep ? cub_radix_policy::Form::onesweep : cub_radix_policy::Form::two_read>;

/// True if the policy launches what the plan says.
template <class Policy>
constexpr bool matches_plan(const Sweep& sweep, std::size_t bytes) {
  return Policy::BLOCK_THREADS == sweep.threads && Policy::ITEMS_PER_THREAD == sweep.items(bytes);
}

template <class K, class V, int DigitBits, Form F>
std::unique_ptr<Sorter> make(const Problem& problem, const Resources& resources) {
  using Hub = PolicyHub<K, V, DigitBits, F>;
  using Policy = typename Hub::MaxPolicy;
  constexpr std::size_t wide = sizeof(typename Hub::Dominant);
  static_assert(matches_plan<typename Policy::SingleTilePolicy>(kSingleTile, wide));
  if constexpr (F == Form::two_read) {
    static_assert(matches_plan<typename Policy::DownsweepPolicy>(kDownsweep, wide));
    static_assert(matches_plan<typename Policy::UpsweepPolicy>(kUpsweep, wide));
    static_assert(matches_plan<typename Policy::AltDownsweepPolicy>(kAlternateDownsweep, wide));
    static_assert(matches_plan<typename Policy::AltUpsweepPolicy>(kAlternateUpsweep, wide));
  }
  return std::make_unique<CubRadixSorter<K, V, CubRadixUnderPolicy<K, V, Hub>>>(problem, resources);
}

template <Form F, class K, class V>
std::unique_ptr<Sorter> make_with_digits(const Problem& problem, int digit_bits, const Resources& resources) {
  const auto make_with = [&]<int bits>() { return make<K, V, bits, F>(problem, resources); };
  if constexpr (F == Form::onesweep) {
    return dispatch<kOnesweepBits>("digit_bits", digit_bits, make_with);
  } else {
    return dispatch<kTwoReadBits>("digit_bits", digit_bits, make_with);
  }
}

/// A sorter for values of type V, or without values.
template <Form F, class K, class V>
std::unique_ptr<Sorter> make_key_sorter(const Problem& problem, int digit_bits, const Resources& resources) {
  if (problem.value == ValueType::none) return make_with_digits<F, K, NoValue>(problem, digit_bits, resources);
  if constexpr (!std::is_same_v<V, NoValue>) {
    if (byte_size(problem.value) == sizeof(V)) return make_with_digits<F, K, V>(problem, digit_bits, resources);
  }
  throw_no_code_for("value", to_name(problem.value));
}

/// A sorter for the compiled combinations; cub_radix_lsd.cpp declines the others.
template <Form F>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, int digit_bits, const Resources& resources) {
  if (problem.key == KeyType::u32)
    return make_key_sorter<F, std::uint32_t, std::uint32_t>(problem, digit_bits, resources);
  if (problem.key == KeyType::u64)
    return make_key_sorter<F, std::uint64_t, std::uint64_t>(problem, digit_bits, resources);
  if (problem.key == KeyType::f32) return make_key_sorter<F, float, NoValue>(problem, digit_bits, resources);
  throw_no_code_for("key", to_name(problem.key));
}

}  // namespace sortlab::cub_lsd
