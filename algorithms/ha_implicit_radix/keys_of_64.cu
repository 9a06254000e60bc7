#include "algorithms/ha_implicit_radix/make_sorter.cuh"
#include "algorithms/ha_implicit_radix/sorters.hpp"

namespace sortlab::ha {

std::unique_ptr<Sorter> make_sorter_of_64(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    using Word = std::uint64_t;
    const auto order = problem.key == KeyType::u64   ? key_order<std::uint64_t>()
                       : problem.key == KeyType::i64 ? key_order<std::int64_t>()
                                                     : key_order<double>();
    return make_sorter<Word, V, ExactMap<Word>>(problem, parameters, order, resources);
  });
}

}  // namespace sortlab::ha
