// Sorted lists of float4, merged four keys at a time.
#pragma once

#include <cstdint>

namespace sortlab::hybrid_sort {

__device__ inline void order(float& low, float& high) {
  const float a = low, b = high;
  low = fminf(a, b);
  high = fmaxf(a, b);
}

/// Sorts the four keys of a vector.
__device__ inline float4 sorted(float4 v) {
  order(v.x, v.y);
  order(v.z, v.w);
  order(v.x, v.z);
  order(v.y, v.w);
  order(v.y, v.z);
  return v;
}

/// Sorts a bitonic vector, whose keys ascend and then descend or the reverse, in two steps.
__device__ inline float4 sorted_bitonic(float4 v) {
  order(v.x, v.z);
  order(v.y, v.w);
  order(v.x, v.y);
  order(v.z, v.w);
  return v;
}

/// Merges two sorted vectors into the four lowest and the four highest keys, each sorted.
__device__ inline void merge_vectors(float4& low, float4& high) {
  const float4 a = low, b = high;
  low = sorted_bitonic({fminf(a.x, b.w), fminf(a.y, b.z), fminf(a.z, b.y), fminf(a.w, b.x)});
  high = sorted_bitonic({fmaxf(a.x, b.w), fmaxf(a.y, b.z), fmaxf(a.z, b.y), fmaxf(a.w, b.x)});
}

/// Merges `count_a` vectors and the `count_b` that follow them, by one thread. The next vector comes from the list with
/// the smaller next key.
__device__ inline void merge_lists(const float4* from, std::uint64_t count_a, std::uint64_t count_b, float4* to) {
  const float4* a = from;
  const float4* const end_a = from + count_a;
  const float4* b = end_a;
  const float4* const end_b = b + count_b;
  if (count_b == 0) {
    while (a < end_a) *to++ = *a++;
    return;
  }
  float4 next_a = *a++, next_b = *b++;
  float4 high;  // read, but not yet writable
  bool has_a = true, has_b = true;
  const auto take = [&] {
    const bool of_a = has_a && (!has_b || next_a.x <= next_b.x);
    const float4 taken = of_a ? next_a : next_b;
    if (of_a) {
      has_a = a < end_a;
      if (has_a) next_a = *a++;
    } else {
      has_b = b < end_b;
      if (has_b) next_b = *b++;
    }
    return taken;
  };
  high = take();
  while (has_a || has_b) {
    float4 low = take();
    merge_vectors(low, high);
    *to++ = low;
  }
  *to = high;
}

}  // namespace sortlab::hybrid_sort
