// thearling: word w of the keys is the AND of word w of several streams, whatever the key type.
#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/key_space.hpp"

namespace sortlab {
namespace {

__global__ void and_kernel(std::uint64_t seed, std::uint64_t ands, std::uint64_t words, std::uint32_t* keys) {
  for (std::uint64_t block = thread_number(); 4 * block < words; block += all_threads()) {
    auto product = philox(seed, block, 0);
    // Without any one left, further ANDs change nothing.
    for (std::uint64_t draw = 1; draw <= ands && (product[0] | product[1] | product[2] | product[3]) != 0; ++draw) {
      const auto factor = philox(seed, block, draw);
#pragma unroll
      for (int w = 0; w < 4; ++w) product[w] &= factor[w];
    }
    if (4 * block + 4 <= words) {
      reinterpret_cast<uint4*>(keys)[block] = {product[0], product[1], product[2], product[3]};
    } else {
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        if (4 * block + w < words) keys[4 * block + w] = product[w];
      }
    }
  }
}

void fill_thearling(const Input& input, void* keys, cudaStream_t stream) {
  const std::uint64_t words = input.n * byte_size(input.key) / 4;
  const auto ands = static_cast<std::uint64_t>(input.parameters.integer("ands"));
  and_kernel<<<blocks_for((words + 3) / 4), kThreadsABlock, 0, stream>>>(input.seed, ands, words,
                                                                         static_cast<std::uint32_t*>(keys));
  check_launch();
}

const RegisterDeviceFill registered{"thearling", fill_thearling};

}  // namespace
}  // namespace sortlab
