#include "algorithms/multi_gpu_radix/make_sorter.cuh"
#include "algorithms/multi_gpu_radix/settings.hpp"

namespace sortlab {

std::unique_ptr<Sorter> make_multi_gpu_radix(const Problem& problem, const Parameters& parameters,
                                             const Resources& resources) {
  const multi_gpu::Settings settings = multi_gpu::resolve_settings(parameters);
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() {
      return multi_gpu::make_shard_sorter<Word, V>(problem, settings, order, resources);
    });
  });
}

}  // namespace sortlab
