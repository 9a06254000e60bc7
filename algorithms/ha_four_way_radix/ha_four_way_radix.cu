#include "algorithms/common/cuda/counting_pass/lsd_sorter.cuh"
#include "algorithms/ha_four_way_radix/passes.cuh"
#include "core/parameters.hpp"

namespace sortlab {
namespace {

template <class Word, class V>
std::unique_ptr<Sorter> make(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                             const Resources& resources) {
  const ha::Settings settings{
      .presort = chosen("presort", parameters.word("presort"), ha::kPresorts),
      .scatter = ha::Scatter::soa,
  };
  const auto make_pass = [&]<class Pass>() -> std::unique_ptr<Sorter> {
    return std::make_unique<ha::LsdSorter<Pass>>(problem, settings, order, resources);
  };
  using Map = ha::ExactMap<Word>;
  if (chosen("tile", parameters.word("tile"), ha::four_way::kTiles))
    return make_pass.template operator()<ha::four_way::WidePass<Word, V, Map>>();
  return make_pass.template operator()<ha::four_way::NarrowPass<Word, V, Map>>();
}

}  // namespace

std::unique_ptr<Sorter> make_ha_four_way_radix(const Problem& problem, const Parameters& parameters,
                                               const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    if (byte_size(problem.key) == 4) {
      return make<std::uint32_t, V>(problem, parameters, make_key_order<std::uint32_t>(problem.key), resources);
    }
    return make<std::uint64_t, V>(problem, parameters, make_key_order<std::uint64_t>(problem.key), resources);
  });
}

}  // namespace sortlab
