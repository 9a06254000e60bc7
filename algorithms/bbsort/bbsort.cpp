#include "algorithms/bbsort/plan.hpp"
#include "algorithms/common/adapters/device_algorithm.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_bbsort(const Problem&, const Parameters&, const Resources&);

namespace {

class BbSort final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    return bbsort::declines(problem.n, parameters.integer("bucket"));
  }
};

const Register registered{std::make_unique<BbSort>(
    Info{.name = "bbsort",
         .title = "bbsort: bucket sort by value, then bitonic sort, of Chen et al.",
         .source = "Chen, Qin, Xie, Zhao, Heng, ICA3PP 2009; baseline in Leischner, Osipov and Sanders 2009, figure 5",
         .family = "bucket",
         .origin = Origin::paper,
         .paper = "leischner2009",
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .synchronises = true,
         .parameters = {{.name = "bucket",
                         .meaning = "maximum bucket size, sorted by a bitonic sort in shared memory; a power of two",
                         .standard = std::int64_t{512},
                         .range = {bbsort::kMinBucket, bbsort::kMaxBucket}}},
         .presets = {{"paper", {{"bucket", "512"}}}},
         .roles = {{"bbsort", {{"bucket", "512"}}}},
         .phases = {"min and max", "count", "pack", "scatter", "sort buckets", "recursion"},
         .limits = {{.text = "atomic additions of keys in one slice are serialised: equal keys "
                             "(LEI-C7: collapses on DD)",
                     .slow_on = {"deterministic_duplicates"}}}},
    &make_bbsort)};

}  // namespace
}  // namespace sortlab
