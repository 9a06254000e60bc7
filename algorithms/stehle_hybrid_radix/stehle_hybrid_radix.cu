#include "algorithms/stehle_hybrid_radix/make_sorter.cuh"

namespace sortlab {

std::unique_ptr<Sorter> make_stehle_hybrid_radix(const Problem& problem, const Parameters& parameters,
                                                 const Resources& resources) {
  const hybrid_radix::Settings settings = hybrid_radix::resolve_settings(parameters, problem);
  return with_key_type(problem.key, [&]<class K>() {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      if constexpr (sizeof(K) <= sizeof(std::uint64_t)) {
        return hybrid_radix::make_sorter<Bits<K>, V>(problem, key_order<K>(), settings, resources);
      } else {
        throw_no_code_for("key", to_name(problem.key));
      }
    });
  });
}

}  // namespace sortlab
