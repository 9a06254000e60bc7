#include "algorithms/leischner_sample_sort/sample_sorter.cuh"

namespace sortlab::sample_sort {

template std::unique_ptr<Sorter> make_sorter<std::uint64_t, NoValue>(const Problem&, KeyOrder<std::uint64_t>,
                                                                     const Settings&, const Resources&);
template std::unique_ptr<Sorter> make_sorter<std::uint64_t, std::uint32_t>(const Problem&, KeyOrder<std::uint64_t>,
                                                                           const Settings&, const Resources&);
template std::unique_ptr<Sorter> make_sorter<std::uint64_t, std::uint64_t>(const Problem&, KeyOrder<std::uint64_t>,
                                                                           const Settings&, const Resources&);

// Classes that compiled_levels.cuh declares as compiled elsewhere.
template class SampleLevels<std::uint64_t, NoValue>;
template class SampleLevels<std::uint64_t, std::uint64_t>;

}  // namespace sortlab::sample_sort
