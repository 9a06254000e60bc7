#include "algorithms/ha_implicit_radix/make_sorter.cuh"
#include "algorithms/ha_implicit_radix/sorters.hpp"

namespace sortlab::ha {

std::unique_ptr<Sorter> make_sorter_of_64(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    using Word = std::uint64_t;
    return make_sorter<Word, V, ExactMap<Word>>(problem, parameters, make_key_order<Word>(problem.key), resources);
  });
}

}  // namespace sortlab::ha
