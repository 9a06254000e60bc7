#include "algorithms/ha_implicit_radix/make_sorter.cuh"
#include "algorithms/ha_implicit_radix/sorters.hpp"

namespace sortlab::ha {

std::unique_ptr<Sorter> make_sorter_of_32(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    using Word = std::uint32_t;
    const auto order = make_key_order<Word>(problem.key);
    if (chosen("float_bits", parameters.word("float_bits"), kFloatBits)) {
      return make_sorter<Word, V, LossyMap>(problem, parameters, order, resources);
    }
    return make_sorter<Word, V, ExactMap<Word>>(problem, parameters, order, resources);
  });
}

}  // namespace sortlab::ha
