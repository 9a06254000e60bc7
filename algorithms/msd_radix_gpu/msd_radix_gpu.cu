#include "algorithms/msd_radix_gpu/device_shared.cuh"
#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"

namespace sortlab {

std::unique_ptr<Sorter> make_msd_radix_gpu(const Problem& problem, const Parameters& parameters,
                                           const Resources& resources) {
  msd_gpu::check_shared_memory();
  const bool stable = parameters.word("stable") == "yes";
  const msd_gpu::Plan plan =
      msd_gpu::make_plan(problem.n, byte_size(problem.key), byte_size(problem.value), parameters.word("regime"),
                         static_cast<int>(parameters.integer("top_bits")));
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      // Equal keys without values are indistinguishable.
      if constexpr (!std::is_same_v<V, NoValue>) {
        if (stable) return msd_gpu::make_stable_sorter<Word, V>(problem, order, resources);
      }
      return msd_gpu::make_sorter<Word, V>(problem, plan, order, resources);
    });
  });
}

}  // namespace sortlab
