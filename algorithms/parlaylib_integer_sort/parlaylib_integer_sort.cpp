#include "algorithms/common/adapters/external_algorithm.hpp"

namespace sortlab {
namespace external {
std::unique_ptr<Sort> parlaylib_integer_sort(KeyType, ValueType, int threads);
}
namespace {

const Register registered{std::make_unique<ExternalAlgorithm>(
    Info{
        .name = "parlaylib_integer_sort",
        .title = "ParlayLib integer_sort (parallel radix sort, most significant digit first)",
        .source = "Blelloch, Anderson, Dhulipala: ParlayLib - A Toolkit for Parallel Algorithms, SPAA 2020",
        .family = "radix",
        .version = "ParlayLib " SORTLAB_VERSION,
        .parallel = true,
        .stable = true,
        .allocates_inside = true,
    },
    external::parlaylib_integer_sort, true)};

}  // namespace
}  // namespace sortlab
