#include "algorithms/satish_split_radix/buffer_scatter.cuh"

namespace sortlab::split_radix {

template <class Word, class V>
void scatter_by_buffers(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  // The kernel supports any number of rows; those in the plan are compiled.
  const auto compiled = compiled_items(Split::buffers);
  if (std::ranges::find(compiled, shape.items) == compiled.end())
    throw_no_code_for("items", std::to_string(shape.items));
  buffers::launch(pass, shape, stream);
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_by_buffers);

}  // namespace sortlab::split_radix
