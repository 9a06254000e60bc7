#include "algorithms/satish_split_radix/vertical_scatter.cuh"

namespace sortlab::split_radix {

template <class Word, class V>
void scatter_vertical(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream) {
  switch (shape.items) {
    case 4: return vertical::launch<4>(pass, shape, stream);
    case 8: return vertical::launch<8>(pass, shape, stream);
    case 16: return vertical::launch<16>(pass, shape, stream);
    case 24: return vertical::launch<24>(pass, shape, stream);
    default: return vertical::launch<13>(pass, shape, stream);
  }
}

SORTLAB_FOR_KEYS_AND_VALUES(scatter_vertical);

}  // namespace sortlab::split_radix
