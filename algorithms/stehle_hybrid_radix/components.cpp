// Components of the sort that Stehle and Jacobsen measure or make claims about: the histogram kernel (Figure 2), a
// counting pass with and without kept block histograms (section 4.3), splitting and joining pairs (section 4.6).
#include "algorithms/component.hpp"
#include "algorithms/stehle_hybrid_radix/settings.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Runnable> make_stehle_histogram(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_stehle_counting_pass(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_stehle_counting_pass_recount(const Problem&, const Parameters&,
                                                                          const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_stehle_decompose(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_stehle_recompose(const Problem&, const Parameters&, const Resources&);

namespace {

using namespace hybrid_radix;
using Refusal = std::optional<std::string>;

Refusal declines_pass(const Problem& problem, const Parameters& parameters) {
  if (problem.key != KeyType::u32 && problem.key != KeyType::u64) return "is measured with keys u32 or u64";
  if (problem.value != ValueType::none) return "is measured without values, as in the paper";
  const Settings settings = resolve_settings(parameters, problem);
  if (settings.lists == Lists::host) return "is measured with lists=device";
  if (problem.n <= settings.local_keys) return "has no pass where all keys are sorted locally";
  return std::nullopt;
}
Refusal declines_keys_alone(const Problem& problem, const Parameters&) {
  const bool wide = byte_size(problem.key) == byte_size(problem.value);
  if (wide && problem.n > 0) return std::nullopt;
  return "is measured with values as wide as the keys";
}

constexpr const char* kAlgorithm = "stehle_hybrid_radix";
constexpr const char* kPartitioned = "the whole array ascends by the most significant digit";

const RegisterComponent histogram{
    {.algorithm = kAlgorithm,
     .name = "histogram",
     .title = "Histogram kernel of the first pass, with or without thread reduction",
     .source = "Stehle and Jacobsen 2017, section 4.3, Figure 2",
     .postcondition = std::string{"after prefix sum and scatter by its counts "} + kPartitioned,
     .phases = {"histogram"},
     .declines = declines_pass,
     .prepare = &make_stehle_histogram}};
const RegisterComponent counting_pass{{.algorithm = kAlgorithm,
                                       .name = "counting_pass",
                                       .title = "First counting pass, whose scatter reads the block histograms kept",
                                       .source = "Stehle and Jacobsen 2017, sections 4.3 and 4.4",
                                       .postcondition = kPartitioned,
                                       .phases = {"histogram", "prefix", "scatter"},
                                       .declines = declines_pass,
                                       .prepare = &make_stehle_counting_pass}};
const RegisterComponent counting_pass_recount{
    {.algorithm = kAlgorithm,
     .name = "counting_pass_recount",
     .title = "First counting pass, whose scatter counts each block again",
     .source = "Stehle and Jacobsen 2017, section 4.3: what keeping the histograms saves",
     .postcondition = kPartitioned,
     .phases = {"histogram", "prefix", "scatter"},
     .declines = declines_pass,
     .prepare = &make_stehle_counting_pass_recount}};
const RegisterComponent decompose{{.algorithm = kAlgorithm,
                                   .name = "decompose",
                                   .title = "Pairs split into arrays of keys and of values",
                                   .source = "Stehle and Jacobsen 2017, section 4.6",
                                   .postcondition = "the arrays hold the input in its order",
                                   .phases = {"decompose"},
                                   .declines = declines_keys_alone,
                                   .prepare = &make_stehle_decompose}};
const RegisterComponent recompose{{.algorithm = kAlgorithm,
                                   .name = "recompose",
                                   .title = "Arrays of keys and values joined into pairs",
                                   .source = "Stehle and Jacobsen 2017, section 4.6",
                                   .postcondition = "the pairs are the input in its order",
                                   .phases = {"recompose"},
                                   .declines = declines_keys_alone,
                                   .prepare = &make_stehle_recompose}};

}  // namespace
}  // namespace sortlab
