#include "algorithms/satish_split_radix/fused_scatter.cuh"

namespace sortlab::split_radix {

template <class Word, class V>
void scatter_fused(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  static_assert(sizeof(fused::Place<Word, V, GlobalMemory>) == kPlaceBytes);
  // The kernels support any number of rows; those in the plan are compiled.
  const auto compiled = compiled_items(Split::fused);
  if (std::ranges::find(compiled, shape.items) == compiled.end())
    throw_no_code_for("items", std::to_string(shape.items));
  if constexpr (sizeof(Word) <= 8) {
    if (pass.digit.is_real()) return fused::launch<true>(pass, shape, stream);
  }
  fused::launch<false>(pass, shape, stream);
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_fused);

}  // namespace sortlab::split_radix
