#include "algorithms/common/adapters/external_algorithm.hpp"

namespace sortlab {
namespace external {
std::unique_ptr<Sort> ips2ra(KeyType, ValueType, int threads);
}
namespace {

const Register registered{std::make_unique<ExternalAlgorithm>(
    Info{
        .name = "ips2ra",
        .title = "IPS2Ra (parallel radix sort in place)",
        .source = "Axtmann, Witt, Ferizovic, Sanders: Engineering In-place (Shared-memory) Sorting Algorithms, 2022",
        .family = "radix",
        .version = "ips2ra " SORTLAB_VERSION,
        .parallel = true,
        .in_place = true,
        .allocates_inside = true,
    },
    external::ips2ra, true)};

}  // namespace
}  // namespace sortlab
