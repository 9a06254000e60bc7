// Component: one multisplit, the papers' subject.
#include "algorithms/component.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Runnable> make_multisplit(const Problem&, const Parameters&, const Resources&);

namespace {

std::optional<std::string> declines(const Problem& problem, const Parameters&) {
  if (problem.n == 0) return "has nothing to do without elements";
  return std::nullopt;
}

const RegisterComponent multisplit{
    {.algorithm = "multisplit_radix",
     .name = "multisplit",
     .title = "One multisplit into 2^digit_bits buckets, key ranges of equal width",
     .source = "Ashkiani, Davidson, Meyer, Owens: GPU Multisplit, PPoPP 2016; extended, TOPC 2017",
     .postcondition =
         "the whole array is ordered stably by bucket, the highest digit_bits bits of a key in the order of "
         "keys, each value with its key",
     .phases = {"histogram", "scan", "scatter"},
     .declines = declines,
     .prepare = &make_multisplit}};

}  // namespace
}  // namespace sortlab
