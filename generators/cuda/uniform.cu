// Keys of independent random words: uniform, few_distinct and gaussian.
#include "generators/formulas/uniform.hpp"

#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/formulas/few_distinct.hpp"
#include "generators/formulas/gaussian.hpp"

namespace sortlab {
namespace {

void fill_uniform(const Input& input, void* keys, cudaStream_t stream) {
  with_key_type(input.key, [&]<class K>() {
    make_keys(KeysOfRandomBits<Bits<K>, UniformKey<K>>{UniformKey<K>{input}}, input.seed, input.n, keys, stream);
  });
}

template <template <class> class Keys>
void fill_with(const Input& input, void* keys, cudaStream_t stream) {
  with_key_type(input.key, [&]<class K>() { make_keys(Keys<K>{input}, input.seed, input.n, keys, stream); });
}

const RegisterDeviceFill uniform{"uniform", fill_uniform};
const RegisterDeviceFill few_distinct{"few_distinct", fill_with<FewDistinctKeys>};
const RegisterDeviceFill gaussian{"gaussian", fill_with<GaussianKeys>};

}  // namespace
}  // namespace sortlab
