#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/stehle_hybrid_radix/settings.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_stehle_hybrid_radix(const Problem&, const Parameters&, const Resources&);

namespace {

using namespace hybrid_radix;

class StehleHybridRadix final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    return hybrid_radix::declines(resolve_settings(parameters, problem), byte_size(problem.key),
                                  byte_size(problem.value), problem.n);
  }

  bool synchronises(const Parameters& parameters) const override {
    return chosen("lists", parameters.word("lists"), kLists) == Lists::host;
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    const Shape shape = tuned_shape(byte_size(problem.key), byte_size(problem.value));
    if (parameter == "threads") return std::int64_t{shape.threads};
    if (parameter == "items") return std::int64_t{shape.items};
    return std::nullopt;
  }
};

constexpr double kMaxItems = 48;
constexpr double kMaxBlockKeys = 65536;
constexpr double kMaxLocalKeys = 9216;

GivenParameters papers() {
  return {kPaper.begin(), kPaper.end()};
}

/// The authors' released code: lists made on the host, no look-ahead for pairs, and its own size classes (X25).
GivenParameters released() {
  GivenParameters given = papers();
  given["lists"] = "host";
  given["classes"] = "released";
  given["look_ahead_pairs"] = "no";
  return given;
}

const Register registered{std::make_unique<StehleHybridRadix>(
    Info{.name = "stehle_hybrid_radix",
         .title = "Hybrid radix sort (MSD, then local sorts in shared memory) of Stehle and Jacobsen",
         .source = "Stehle and Jacobsen 2017, sections 4.1 to 4.6",
         .family = "radix",
         .origin = Origin::paper,
         .paper = "stehle2017",
         .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
         .layouts = {Layout::separate, Layout::together},
         .parameters =
             {{.name = "digit_bits",
               .meaning = "width of a digit in bits (d)",
               .standard = std::int64_t{8},
               .range = {1, kMaxDigitBits}},
              {.name = "threads",
               .meaning = "threads per block of the histogram and scatter kernels; 0: Table 3's",
               .standard = std::string{"auto"},
               .range = {0, kMaxThreads}},
              {.name = "items",
               .meaning = "keys per thread (KPT); must form a shape listed in plan.hpp with threads; 0: Table 3's",
               .standard = std::string{"auto"},
               .range = {0, kMaxItems}},
              {.name = "block_keys",
               .meaning = "keys per block (KPB), at most threads * items; 0: threads * items",
               .standard = std::int64_t{0},
               .range = {0, kMaxBlockKeys}},
              {.name = "local_keys",
               .meaning = "local-sort threshold: largest bucket that is sorted locally; 0: Table 3's",
               .standard = std::int64_t{0},
               .range = {0, kMaxLocalKeys}},
              {.name = "merge_keys",
               .meaning = "merge threshold: neighbouring buckets with fewer keys together are merged; 0: never",
               .standard = std::int64_t{kMergeKeys},
               .range = {0, kMaxLocalKeys}},
              {.name = "classes",
               .meaning = "local sorts: one kernel per size class, one for all buckets, or one per size class of the "
                          "released code",
               .standard = std::string{"all"},
               .choices = choice_words(kClasses)},
              {.name = "staging",
               .meaning =
                   "staging of values in shared memory: in place of the keys once these are written, or beside them",
               .standard = std::string{"beside"},
               .choices = choice_words(kStagings)},
              {.name = "look_ahead",
               .meaning =
                   "look-ahead of a thread, in keys: equal digits get their positions by one atomic addition, in "
                   "blocks where a digit has more than a third of the keys; 0: off",
               .standard = std::int64_t{2},
               .range = {0, 2}},
              {.name = "look_ahead_pairs",
               .meaning = "no: look-ahead for keys without values only, as in the released code",
               .standard = std::string{"yes"},
               .choices = choice_words(kYesOrNo),
               .later = true},
              {.name = "thread_reduction",
               .meaning = "yes: a thread sorts its digits, nine at a time, and counts equal ones together",
               .standard = std::string{"no"},
               .choices = choice_words(kYesOrNo)},
              {.name = "lists",
               .meaning = "where the buckets of the next pass are listed: on the device, or on the host, which then "
                          "synchronises in every pass",
               .standard = std::string{"device"},
               .choices = choice_words(kLists)},
              {.name = "local_sort",
               .meaning = "local sort: CUB's block-wide LSD radix sort, or one partition and ranks by comparisons",
               .standard = std::string{"ranked"},
               .choices = choice_words(kLocalSorts)}},
         .presets = {{"paper", papers()}, {"released", released()}, {"tuned", {}}},
         .roles = {{"gpu_hybrid_radix", papers()}},
         .phases = {"decompose", "histogram", "prefix", "assign", "scatter", "local sort", "recompose"}},
    &make_stehle_hybrid_radix)};

}  // namespace
}  // namespace sortlab
