#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/satish_split_radix/ballot_scatter.cuh"

namespace sortlab::split_radix {

template <class Word, class V>
void scatter_by_ballots(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  dispatch<kItemsOfWarp>("items", shape.items, [&]<int items>() { ballots::launch<items>(pass, shape, stream); });
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_by_ballots);

}  // namespace sortlab::split_radix
