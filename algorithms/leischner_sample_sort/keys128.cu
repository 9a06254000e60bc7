#include "algorithms/leischner_sample_sort/sample_sorter.cuh"

namespace sortlab::sample_sort {

template std::unique_ptr<Sorter> make_sorter<uint128, NoValue>(const Problem&, KeyOrder<uint128>, const Settings&,
                                                               const Resources&);
template std::unique_ptr<Sorter> make_sorter<uint128, std::uint32_t>(const Problem&, KeyOrder<uint128>, const Settings&,
                                                                     const Resources&);
template std::unique_ptr<Sorter> make_sorter<uint128, std::uint64_t>(const Problem&, KeyOrder<uint128>, const Settings&,
                                                                     const Resources&);

}  // namespace sortlab::sample_sort
