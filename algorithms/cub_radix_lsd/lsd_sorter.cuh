// Sorts by CUB's kernels with digits of our own width.
#pragma once

#include "algorithms/common/cuda/cub_radix_policy.cuh"
#include "algorithms/common/cuda/cub_radix_sorter.cuh"

namespace sortlab::cub_lsd {

using cub_radix_policy::Form;

template <class K, class V, int DigitBits, Form F>
using LsdSorter =
    CubRadixSorter<K, V, CubRadixUnderPolicy<K, V, cub_radix_policy::Hub<K, CubValue<V>, CubOffset, DigitBits, F>>>;

template <Form F, class K, class V>
std::unique_ptr<Sorter> make_with_digits(const Problem& problem, int digit_bits, const Resources& resources) {
  switch (digit_bits) {
    case 5: return std::make_unique<LsdSorter<K, V, 5, F>>(problem, resources);
    case 6: return std::make_unique<LsdSorter<K, V, 6, F>>(problem, resources);
    case 7: return std::make_unique<LsdSorter<K, V, 7, F>>(problem, resources);
    default: break;
  }
  constexpr int digit_bits_of_this_form_alone = F == Form::onesweep ? 8 : 4;
  return std::make_unique<LsdSorter<K, V, digit_bits_of_this_form_alone, F>>(problem, resources);
}

/// For the combinations that are built; cub_radix_lsd.cpp declines the others.
template <Form F>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, int digit_bits, const Resources& resources) {
  const bool pairs = problem.value != ValueType::none;
  switch (problem.key) {
    case KeyType::u32:
      return pairs ? make_with_digits<F, std::uint32_t, std::uint32_t>(problem, digit_bits, resources)
                   : make_with_digits<F, std::uint32_t, NoValue>(problem, digit_bits, resources);
    case KeyType::u64:
      return pairs ? make_with_digits<F, std::uint64_t, std::uint64_t>(problem, digit_bits, resources)
                   : make_with_digits<F, std::uint64_t, NoValue>(problem, digit_bits, resources);
    default: return make_with_digits<F, float, NoValue>(problem, digit_bits, resources);
  }
}

}  // namespace sortlab::cub_lsd
