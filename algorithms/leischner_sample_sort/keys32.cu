#include "algorithms/leischner_sample_sort/sample_sorter.cuh"

namespace sortlab::sample_sort {

template std::unique_ptr<Sorter> make_sorter<std::uint32_t, NoValue>(const Problem&, KeyOrder<std::uint32_t>,
                                                                     const Settings&, const Resources&);
template std::unique_ptr<Sorter> make_sorter<std::uint32_t, std::uint32_t>(const Problem&, KeyOrder<std::uint32_t>,
                                                                           const Settings&, const Resources&);
template std::unique_ptr<Sorter> make_sorter<std::uint32_t, std::uint64_t>(const Problem&, KeyOrder<std::uint32_t>,
                                                                           const Settings&, const Resources&);

// For compiled_levels.cuh.
template class SampleLevels<std::uint32_t, NoValue>;
template class SampleLevels<std::uint32_t, std::uint32_t>;

}  // namespace sortlab::sample_sort
