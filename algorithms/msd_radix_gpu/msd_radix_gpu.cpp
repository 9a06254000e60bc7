#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_msd_radix_gpu(const Problem&, const Parameters&, const Resources&);

namespace {

class MsdRadixGpu final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;
  bool stable(const Parameters& parameters) const override { return parameters.word("stable") == "yes"; }
};

const Register registered{std::make_unique<MsdRadixGpu>(
    Info{.name = "msd_radix_gpu",
         .title = "MSD radix sort: partitions by reserved runs, buckets sorted in shared memory",
         .source = "ours; see its README",
         .family = "radix",
         .origin = Origin::ours,
         .version = "",
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64, KeyType::u128},
         .values = {kValueTypes.begin(), kValueTypes.end()},
         .parameters = {{.name = "stable",
                         .meaning =
                             "yes: equal keys keep their order, by partitions of their own where there are values",
                         .standard = std::string{"no"},
                         .choices = {"no", "yes"}}},
         .phases = {"one level", "count", "partition", "levels", "bucket sort"}},
    make_msd_radix_gpu)};

}  // namespace
}  // namespace sortlab
