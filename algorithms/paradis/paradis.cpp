#include "algorithms/common/adapters/with_types.hpp"
#include "algorithms/paradis/msd_sorter.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab {
namespace {

using paradis::MsdSorter;

const GivenParameters kPaper{
    {"digit_bits", "8"}, {"small_sort", "0"}, {"insertion", "32"}, {"equal_digits", "permute"}};

class Paradis final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    const paradis::Settings settings{
        .digit_bits = static_cast<int>(parameters.integer("digit_bits")),
        .small_sort = static_cast<std::uint64_t>(parameters.integer("small_sort")),
        .insertion = static_cast<std::uint64_t>(parameters.integer("insertion")),
        .skips = parameters.word("equal_digits") == "skip",
    };
    return make_for_types<MsdSorter>(problem, problem.n, settings, resources);
  }

 private:
  Info info_{
      .name = "paradis",
      .title = "PARADIS: parallel in-place radix sort (MSD) of Cho et al.",
      .source = "Cho et al., VLDB 2015; opponent in Stehle and Jacobsen 2017, figure 9",
      .family = "radix",
      .origin = Origin::paper,
      .paper = "stehle2017",
      .parallel = true,
      .in_place = true,
      .parameters = {{.name = "digit_bits",
                      .meaning = "bits of a digit: a level splits a bucket into 2^digit_bits",
                      .standard = std::int64_t{8},
                      .range = {4, 11}},
                     {.name = "small_sort",
                      .meaning =
                          "elements of the largest bucket that is sorted through a buffer in the L1 cache; 0: none",
                      .standard = std::int64_t{2048},
                      .range = {0, paradis::kLargestSmall}},
                     {.name = "insertion",
                      .meaning = "elements of the largest bucket that is sorted by insertion",
                      .standard = std::int64_t{16},
                      .range = {1, 128}},
                     {.name = "equal_digits",
                      .meaning = "a digit that all keys of a bucket share is skipped, or permuted like any other",
                      .standard = std::string{"skip"},
                      .choices = {"skip", "permute"},
                      .later = true}},
      .presets = {{"paper", kPaper}},
      .roles = {{"cho_in_place_radix", kPaper}},
      .phases = {"histogram", "permute", "repair", "recurse"},
  };
};

const Register registered{std::make_unique<Paradis>()};

}  // namespace
}  // namespace sortlab
