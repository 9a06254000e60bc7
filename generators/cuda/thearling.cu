// thearling: a thread makes the four words of one random block.
#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/formulas/thearling.hpp"
#include "generators/key_space.hpp"

namespace sortlab {
namespace {

/// Draws the words of one block from any stream.
struct BlockDraws {
  std::uint64_t seed;
  std::uint64_t block;

  __device__ void operator()(std::uint64_t stream, std::uint32_t* words) const {
    const auto drawn = philox(seed, block, stream);
#pragma unroll
    for (int w = 0; w < 4; ++w) words[w] = drawn[w];
  }
};

__global__ void and_kernel(std::uint64_t seed, std::uint64_t ands, std::uint64_t words, std::uint32_t* keys) {
  for (std::uint64_t block = thread_number(); 4 * block < words; block += all_threads()) {
    std::uint32_t product[4];
    std::uint32_t factor[4];
    and_of_draws(ands, 4, product, factor, BlockDraws{seed, block});
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

const RegisterDeviceFill thearling{"thearling", fill_thearling};

}  // namespace
}  // namespace sortlab
