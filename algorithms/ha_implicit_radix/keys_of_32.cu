#include "algorithms/ha_implicit_radix/make_sorter.cuh"
#include "algorithms/ha_implicit_radix/sorters.hpp"

namespace sortlab::ha {

std::unique_ptr<Sorter> make_sorter_of_32(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    using Word = std::uint32_t;
    const auto order = problem.key == KeyType::u32   ? key_order<std::uint32_t>()
                       : problem.key == KeyType::i32 ? key_order<std::int32_t>()
                                                     : key_order<float>();
    if (parameters.word("float_bits") == "lossy") {
      return make_sorter<Word, V, LossyMap>(problem, parameters, order, resources);
    }
    return make_sorter<Word, V, ExactMap<Word>>(problem, parameters, order, resources);
  });
}

}  // namespace sortlab::ha
