#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/satish_split_radix/vertical_scatter.cuh"

namespace sortlab::split_radix {

template <class Word, class V>
void scatter_vertical(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  dispatch<kItemsOfBlock>("items", shape.items, [&]<int items>() { vertical::launch<items>(pass, shape, stream); });
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_vertical);

}  // namespace sortlab::split_radix
