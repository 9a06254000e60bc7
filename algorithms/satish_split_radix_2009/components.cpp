// Components that Ha, Krueger and Silva 2010 measure separately: the kernels of a pass (Tables 1 to 3). Their first
// step is "counting and pre-sorting" (section 2), so the kernel that counts a tile's digits belongs to it. That CUDPP's
// does, too, is an inference: they print 0.15 ms of ranking for both sorts, in which no kernel reads 16M keys on their
// GPU.
#include "algorithms/component.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Runnable> make_satish_2009_presort(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_satish_2009_scan(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_satish_2009_shuffle(const Problem&, const Parameters&, const Resources&);

namespace {

std::optional<std::string> declines(const Problem& problem, const Parameters& parameters) {
  if (problem.n == 0) return "has nothing to do without elements";
  if (problem.key != KeyType::u32 || problem.value != ValueType::u32) {
    return "is measured with u32 keys and u32 values, as in Ha et al.";
  }
  if (parameters.integer("digit_bits") != 4) return "is measured with digit_bits=4, as in Ha et al.";
  return std::nullopt;
}

constexpr const char* kAlgorithm = "satish_split_radix_2009";
constexpr const char* kSorted = "the whole array is sorted stably by the lowest digit, each value with its key";

const RegisterComponent presort{{.algorithm = kAlgorithm,
                                 .name = "counted_presort",
                                 .title = "Sort of tiles by a 4-bit digit and counts of it, eight iterations: one for "
                                          "each digit",
                                 .source = "Ha, Krueger and Silva 2010, section 4, Table 1 (Table 3: one iteration)",
                                 .postcondition =
                                     "after the last iteration, which takes another digit in each run, each "
                                     "tile is sorted stably by that digit and holds the pairs that it had",
                                 .iterations = 8,
                                 .phases = {"sort tiles", "find offsets"},
                                 .declines = declines,
                                 .prepare = &make_satish_2009_presort}};
const RegisterComponent scan{{.algorithm = kAlgorithm,
                              .name = "scan",
                              .title = "Scan of the counts of all tiles",
                              .source = "Ha, Krueger and Silva 2010, section 4, Table 3",
                              .postcondition = std::string{"after a scatter by the offsets "} + kSorted,
                              .phases = {"scan"},
                              .declines = declines,
                              .prepare = &make_satish_2009_scan}};
const RegisterComponent shuffle{{.algorithm = kAlgorithm,
                                 .name = "shuffle",
                                 .title = "Scatter of the runs of sorted tiles",
                                 .source = "Ha, Krueger and Silva 2010, section 4, Table 2 (CUDPP)",
                                 .postcondition = kSorted,
                                 .phases = {"scatter"},
                                 .declines = declines,
                                 .prepare = &make_satish_2009_shuffle}};

}  // namespace
}  // namespace sortlab
