#include "algorithms/leischner_sample_sort/make_sorter.cuh"

namespace sortlab {

std::unique_ptr<Sorter> make_leischner_sample_sort(const Problem& problem, const Parameters& parameters,
                                                   const Resources& resources) {
  const sample_sort::Settings settings =
      sample_sort::resolve_settings(parameters, problem.n, byte_size(problem.key), byte_size(problem.value));
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() {
      return sample_sort::make_sorter<Word, V>(problem, order, settings, resources);
    });
  });
}

}  // namespace sortlab
