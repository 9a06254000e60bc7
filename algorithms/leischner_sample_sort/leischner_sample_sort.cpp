#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/leischner_sample_sort/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_leischner_sample_sort(const Problem&, const Parameters&, const Resources&);

namespace {

using namespace sample_sort;

class LeischnerSampleSort final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    return sample_sort::declines(settings_of(parameters, problem.n, size_of(problem.key), size_of(problem.value)),
                                 size_of(problem.key), size_of(problem.value));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    const std::size_t key = size_of(problem.key), value = size_of(problem.value);
    if (parameter == "bucket") return std::int64_t{most_merged(key)};
    if (parameter == "items") return std::int64_t{tuned_items(key, value)};
    return std::nullopt;
  }
};

/// Every choice of the paper as a parameter, so that its ablations are distinct.
const GivenParameters kPaper{
    {"ways", "128"},       {"bucket", "131072"},  {"oversampling", "0"},   {"counters", "8"},
    {"ids", "recomputed"}, {"scatter", "direct"}, {"network", "odd_even"}, {"bucket_sort", "quicksort"},
    {"counts", "summed"},  {"fan_out", "fixed"},  {"vote", "no"},          {"threads", "256"},
    {"items", "8"},        {"tiles", "0"}};

GivenParameters released() {
  GivenParameters parameters = kPaper;
  parameters["bucket"] = "0";
  parameters["oversampling"] = "16";
  parameters["counts"] = "apart";
  parameters["threads"] = "128";
  parameters["tiles"] = "1024";
  return parameters;
}

const Register registered{std::make_unique<LeischnerSampleSort>(
    Info{.name = "leischner_sample_sort",
         .title = "Sample sort of Leischner, Osipov and Sanders",
         .source = "Leischner, Osipov and Sanders 2009, sections 4 and 5",
         .family = "sample",
         .origin = Origin::paper,
         .paper = "leischner2009",
         .version = "",
         .keys = {kKeyTypes.begin(), kKeyTypes.end()},
         .values = {kValueTypes.begin(), kValueTypes.end()},
         .synchronises = true,
         .parameters =
             {{.name = "ways",
               .meaning = "most buckets of a split; a power of two (k)",
               .standard = std::int64_t{512},
               .range = {kLeastWays, kMostWays}},
              {.name = "bucket",
               .meaning =
                   "elements of the largest bucket that a block sorts instead of splitting it (M); 0: n / (2 sqrt(k)), "
                   "at least 2^14 and at most 2^18, as in the released code",
               .standard = std::string{"auto"},
               .range = {0, 1 << 20}},
              {.name = "oversampling",
               .meaning = "sampled elements per bucket (a); 0: the paper's 30, 15 for keys of 8 bytes, 7 for 16",
               .standard = std::int64_t{16},
               .range = {0, 128}},
              {.name = "counters",
               .meaning = "arrays of counters of a block, one for each group of its threads; a power of two",
               .standard = std::int64_t{8},
               .range = {1, kMostCounters}},
              {.name = "ids",
               .meaning = "bucket indices in the scatter: computed again, or stored and read",
               .standard = std::string{"stored"},
               .choices = words_of(kIds)},
              {.name = "scatter",
               .meaning = "elements are scattered directly, or from shared memory after a tile is reordered there",
               .standard = std::string{"reordered"},
               .choices = words_of(kScatters)},
              {.name = "network",
               .meaning = "sorts samples, and what quicksort leaves: Batcher's odd-even merge sort, or his bitonic",
               .standard = std::string{"odd_even"},
               .choices = words_of(kNetworks)},
              {.name = "bucket_sort",
               .meaning =
                   "how a block sorts a bucket: quicksort in memory down to a network in shared memory, or merging "
                   "in shared memory",
               .standard = std::string{"merge"},
               .choices = words_of(kBucketSorts)},
              {.name = "counts",
               .meaning = "a block's arrays of counters are summed before the scan, or scanned separately",
               .standard = std::string{"summed"},
               .choices = words_of(kCounts)},
              {.name = "fan_out",
               .meaning = "ways of a split: all of them, or as many as make buckets of M/2 in as few levels",
               .standard = std::string{"fitted"},
               .choices = words_of(kFanOuts)},
              {.name = "vote",
               .meaning = "whether a warp whose elements share a bucket counts them by one addition",
               .standard = std::string{"yes"},
               .choices = words_of(kYesOrNo)},
              {.name = "threads",
               .meaning = "threads of a block that finds buckets or moves elements (t)",
               .standard = std::int64_t{512},
               .range = {kWarp, kMostThreads}},
              {.name = "items",
               .meaning = "elements per thread of such a block (l)",
               .standard = std::string{"auto"},
               .range = {1, 64}},
              {.name = "tiles",
               .meaning =
                   "approximate number of blocks for the whole input, instead of `items` per thread; 0: by items",
               .standard = std::int64_t{0},
               .range = {0, 1 << 20}},
              {.name = "seed",
               .meaning = "of the Mersenne Twister that seeds the sample",
               .standard = std::int64_t{5489},
               .range = {0, 4294967295.0}}},
         .presets = {{"paper", kPaper}, {"released", released()}, {"tuned", {}}},
         .roles = {{"gpu_sample_sort", kPaper}},
         .phases = {"sample", "find", "scan", "scatter", "list", "copy", "sort buckets"}},
    make_leischner_sample_sort)};

}  // namespace
}  // namespace sortlab
