#include "algorithms/satish_split_radix/ballot_scatter.cuh"

namespace sortlab::split_radix {

template <class Word, class V>
void scatter_by_ballots(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  switch (shape.items) {
    case 8: return ballots::launch<8>(pass, shape, stream);
    case 16: return ballots::launch<16>(pass, shape, stream);
    case 24: return ballots::launch<24>(pass, shape, stream);
    case 32: return ballots::launch<32>(pass, shape, stream);
    default: return ballots::launch<48>(pass, shape, stream);
  }
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_by_ballots);

}  // namespace sortlab::split_radix
