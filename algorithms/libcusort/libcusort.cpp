// libcusort's radix sort, called as its README shows.
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_libcusort(const Problem&, const Parameters&, const Resources&);

namespace {

const Register registered{std::make_unique<DeviceAlgorithm>(
    Info{.name = "libcusort",
         .title = "libcusort's DeviceRadixSort (OneSweep in a CUDA graph)",
         .source = "Grebnov: libcusort, 2026",
         .family = "radix",
         .version = SORTLAB_VERSION,
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .stable = true},
    &make_libcusort)};

}  // namespace
}  // namespace sortlab
