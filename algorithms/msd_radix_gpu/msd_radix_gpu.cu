#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"
#include "core/bad_input.hpp"
#include "core/cuda/check.hpp"

namespace sortlab {
namespace {

/// A kernel with more shared memory than the device has would fail at its launch, without a word of why.
void check_shared_memory() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (static_cast<std::uint32_t>(bytes) >= msd_gpu::kSharedBytes) return;
  const auto kib = [](std::uint32_t of) { return std::to_string(of / 1024); };
  throw BadInput("msd_radix_gpu: built for " + kib(msd_gpu::kSharedBytes) +
                 " KiB of shared memory a block, of which this GPU has " + kib(static_cast<std::uint32_t>(bytes)) +
                 ": build with -D SORTLAB_SHARED_KIB=" + kib(static_cast<std::uint32_t>(bytes)));
}

}  // namespace

std::unique_ptr<Sorter> make_msd_radix_gpu(const Problem& problem, const Parameters& parameters,
                                           const Resources& resources) {
  check_shared_memory();
  const bool stable = parameters.word("stable") == "yes";
  const msd_gpu::Plan plan =
      msd_gpu::plan_of(problem.n, size_of(problem.key), size_of(problem.value), parameters.word("regime"),
                       static_cast<int>(parameters.integer("top_bits")));
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      // Equal keys alone are the same bits in any order.
      if constexpr (!std::is_same_v<V, NoValue>) {
        if (stable) return msd_gpu::make_stable_sorter<Word, V>(problem, order, resources);
      }
      return msd_gpu::make_sorter<Word, V>(problem, plan, order, resources);
    });
  });
}

}  // namespace sortlab
