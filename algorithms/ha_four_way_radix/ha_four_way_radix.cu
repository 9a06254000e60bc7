#include "algorithms/ha_four_way_radix/passes.cuh"
#include "algorithms/ha_implicit_radix/lsd_sorter.cuh"
#include "core/parameters.hpp"

namespace sortlab {
namespace {

template <class Word, class V>
std::unique_ptr<Sorter> make(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                             const Resources& resources) {
  const ha::Settings settings{
      .presort = parameters.word("presort") == "stored" ? ha::Presort::stored : ha::Presort::recomputed,
      .scatter = ha::Scatter::soa,
  };
  const auto make_pass = [&]<class Pass>() -> std::unique_ptr<Sorter> {
    return std::make_unique<ha::LsdSorter<Pass>>(problem, settings, order, resources);
  };
  using Map = ha::ExactMap<Word>;
  if (parameters.word("tile") == "wide") return make_pass.template operator()<ha::four_way::WidePass<Word, V, Map>>();
  return make_pass.template operator()<ha::four_way::NarrowPass<Word, V, Map>>();
}

}  // namespace

std::unique_ptr<Sorter> make_ha_four_way_radix(const Problem& problem, const Parameters& parameters,
                                               const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    switch (problem.key) {
      case KeyType::u32: return make<std::uint32_t, V>(problem, parameters, key_order<std::uint32_t>(), resources);
      case KeyType::i32: return make<std::uint32_t, V>(problem, parameters, key_order<std::int32_t>(), resources);
      case KeyType::f32: return make<std::uint32_t, V>(problem, parameters, key_order<float>(), resources);
      case KeyType::u64: return make<std::uint64_t, V>(problem, parameters, key_order<std::uint64_t>(), resources);
      case KeyType::i64: return make<std::uint64_t, V>(problem, parameters, key_order<std::int64_t>(), resources);
      default: return make<std::uint64_t, V>(problem, parameters, key_order<double>(), resources);
    }
  });
}

}  // namespace sortlab
