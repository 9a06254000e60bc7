#include "algorithms/common/adapters/external_algorithm.hpp"

namespace sortlab {
namespace external {
std::unique_ptr<Sort> ips4o(KeyType, ValueType, int threads);
}
namespace {

const Register registered{std::make_unique<ExternalAlgorithm>(
    Info{
        .name = "ips4o",
        .title = "IPS4o (parallel samplesort in place)",
        .source = "Axtmann, Witt, Ferizovic, Sanders: Engineering In-place (Shared-memory) Sorting Algorithms, 2022",
        .family = "sample",
        .version = "ips4o " SORTLAB_VERSION,
        .parallel = true,
        .in_place = true,
        .allocates_inside = true,
    },
    external::ips4o, false)};

}  // namespace
}  // namespace sortlab
