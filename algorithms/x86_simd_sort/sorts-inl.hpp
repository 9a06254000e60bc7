// The functions of sorts.hpp for the instruction set of the file that includes this. It defines SORTLAB_X86_SIMD_SORTS,
// the name of the result.
#include "algorithms/x86_simd_sort/sorts.hpp"

#include <cstdint>

#include <x86simdsort-static-incl.h>

namespace sortlab::external::x86_simd {
namespace {

template <class K>
void sort(void* keys, void* /*values*/, std::size_t n) {
  x86simdsortStatic::qsort(static_cast<K*>(keys), n);
}

template <class K, class V>
void sort(void* keys, void* values, std::size_t n) {
  x86simdsortStatic::keyvalue_qsort(static_cast<K*>(keys), static_cast<V*>(values), n);
}

template <class K>
constexpr Sorts::OfKey kOfKey{sort<K>, sort<K, std::uint32_t>, sort<K, std::uint64_t>};

}  // namespace

const Sorts& SORTLAB_X86_SIMD_SORTS() {
  static const Sorts sorts{kOfKey<std::uint32_t>, kOfKey<std::int32_t>, kOfKey<float>,
                           kOfKey<std::uint64_t>, kOfKey<std::int64_t>, kOfKey<double>};
  return sorts;
}

}  // namespace sortlab::external::x86_simd
