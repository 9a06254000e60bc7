#include "algorithms/msd_radix_gpu/make_sorter.cuh"

namespace sortlab {

std::unique_ptr<Sorter> make_msd_radix_gpu(const Problem& problem, const Parameters&, const Resources& resources) {
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      return msd_gpu::make_sorter<Word, V>(problem, order, resources);
    });
  });
}

}  // namespace sortlab
