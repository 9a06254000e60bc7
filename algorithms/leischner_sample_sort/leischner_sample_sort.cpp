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
    return sample_sort::declines(
        resolve_settings(parameters, problem.n, byte_size(problem.key), byte_size(problem.value)),
        byte_size(problem.key), byte_size(problem.value));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    const std::size_t key = byte_size(problem.key), value = byte_size(problem.value);
    if (parameter == "bucket") return std::int64_t{max_merged(key)};
    if (parameter == "items") return std::int64_t{tuned_items(key, value)};
    return std::nullopt;
  }
};

/// Every choice of the paper as a parameter, so that ablations differ from it in one value.
const GivenParameters kPaper{
    {"ways", "128"},       {"bucket", "131072"},  {"oversampling", "0"},   {"counters", "8"},
    {"ids", "recomputed"}, {"scatter", "direct"}, {"network", "odd_even"}, {"bucket_sort", "quicksort"},
    {"counts", "summed"},  {"fan_out", "fixed"},  {"vote", "no"},          {"threads", "256"},
    {"items", "8"},        {"tiles", "0"}};

/// The authors' released code as it was first published, by its constants (blocks of 256 threads, 450 of them; today's
/// version has 128 and 1024, and one array of counters).
GivenParameters released() {
  GivenParameters parameters = kPaper;
  parameters["bucket"] = "0";
  parameters["oversampling"] = "16";
  parameters["counts"] = "apart";
  parameters["tiles"] = "450";
  return parameters;
}

const Register registered{std::make_unique<LeischnerSampleSort>(
    Info{.name = "leischner_sample_sort",
         .title = "Sample sort of Leischner, Osipov and Sanders",
         .source = "Leischner, Osipov and Sanders 2009, sections 4 and 5",
         .family = "sample",
         .origin = Origin::paper,
         .paper = "leischner2009",
         .synchronises = true,
         .parameters =
             {{.name = "ways",
               .meaning = "maximum number of buckets of a split (k); a power of two",
               .standard = std::int64_t{512},
               .range = {kMinWays, kMaxWays}},
              {.name = "bucket",
               .meaning =
                   "size of the largest bucket that a block sorts instead of splitting it (M); 0: n / (2 sqrt(k)), "
                   "at least 2^14 and at most 2^18, as in the released code",
               .standard = std::string{"auto"},
               .range = {0, 1 << 20}},
              {.name = "oversampling",
               .meaning = "sampled elements per bucket (a); 0: the paper's 30, 15 for keys of 8 bytes, 7 for 16",
               .standard = std::int64_t{16},
               .range = {0, 128}},
              {.name = "counters",
               .meaning = "arrays of counters per block, one for each group of its threads; a power of two",
               .standard = std::int64_t{8},
               .range = {1, kMaxCounters}},
              {.name = "ids",
               .meaning = "bucket indices in the scatter: recomputed, or stored by the preceding kernel and read",
               .standard = std::string{"stored"},
               .choices = choice_words(kIds)},
              {.name = "scatter",
               .meaning = "scatter of elements: directly, or from shared memory after a tile is reordered there",
               .standard = std::string{"reordered"},
               .choices = choice_words(kScatters)},
              {.name = "network",
               .meaning = "network that sorts samples and the parts that quicksort leaves: Batcher's odd-even merge "
                          "sort, or his bitonic sort",
               .standard = std::string{"odd_even"},
               .choices = choice_words(kNetworks)},
              {.name = "bucket_sort",
               .meaning =
                   "sort of a bucket by a block: quicksort in global memory down to a network in shared memory, or "
                   "merge sort in shared memory",
               .standard = std::string{"merge"},
               .choices = choice_words(kBucketSorts)},
              {.name = "counts",
               .meaning = "arrays of counters of a block: summed before the scan, or scanned separately",
               .standard = std::string{"summed"},
               .choices = choice_words(kCounts)},
              {.name = "fan_out",
               .meaning = "ways of a split: always k, or as many as make buckets of M/2 in the fewest levels",
               .standard = std::string{"fitted"},
               .choices = choice_words(kFanOuts)},
              {.name = "vote",
               .meaning = "yes: a warp whose elements share a bucket counts them by one addition",
               .standard = std::string{"yes"},
               .choices = choice_words(kYesOrNo)},
              {.name = "threads",
               .meaning = "threads per block of the kernels that find buckets and scatter elements (t)",
               .standard = std::int64_t{512},
               .range = {kWarp, kMaxThreads}},
              {.name = "items",
               .meaning = "elements per thread of these kernels (l)",
               .standard = std::string{"auto"},
               .range = {1, 64}},
              {.name = "tiles",
               .meaning = "approximate number of tiles of the whole input, instead of `items` per thread; 0: use items",
               .standard = std::int64_t{0},
               .range = {0, 1 << 20}},
              {.name = "seed",
               .meaning = "seed of the Mersenne Twister that seeds the sample",
               .standard = std::int64_t{5489},
               .range = {0, 4294967295.0}}},
         .presets = {{"paper", kPaper}, {"released", released()}, {"tuned", {}}},
         .roles = {{"gpu_sample_sort", kPaper}},
         .phases = {"sample", "find", "scan", "scatter", "list", "copy", "sort buckets"}},
    &make_leischner_sample_sort)};

}  // namespace
}  // namespace sortlab
