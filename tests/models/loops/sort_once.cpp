// Sorts each case once, in a function whose name separates the sort from everything else for an instrument:
//   sort_once ALGORITHM KEY VALUE N DISTRIBUTION [PARAMETER=VALUE ...] [-- ALGORITHM KEY ...]
#include <fmt/format.h>

#include <algorithm>

#include "harness/cell/problem.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/measure/block_input.hpp"

extern "C" [[gnu::noinline]] void sort_that_counts(sortlab::Sorter* sorter, sortlab::Buffers* data) {
  sortlab::PhaseTimer phases;
  *data = sorter->sort(*data, phases);
}

namespace sortlab {
namespace {

void sort_case(std::span<char* const> words) {
  if (words.size() < 5) {
    throw BadInput("usage: sort_once ALGORITHM KEY VALUE N DISTRIBUTION [PARAMETER=VALUE ...] [-- ALGORITHM KEY ...]");
  }
  CaseOptions options;
  options.algorithms = {words[0]};
  options.keys = {words[1]};
  options.values = {words[2]};
  options.n = {words[3]};
  options.distributions = {words[4]};
  options.parameters.assign(words.begin() + 5, words.end());
  const Case c = expand_sweeps(make_sweeps(options, Protocol{})).at(0).subject;
  const Problem problem = case_problem(c);
  const Resources resources{.threads = 1, .cpus = {}};
  if (const auto reason = refusal(*c.algorithm, problem, c.parameters, resources)) throw BadInput(*reason);
  InputMemory memory;
  BlockInput input{c, {Layout::separate}, memory, 1};
  const auto sorter = c.algorithm->prepare(problem, c.parameters, resources);
  Buffers data = input.restore(Layout::separate, 1, 0).front();
  sort_that_counts(sorter.get(), &data);
  const Verification found = verify(input.digest(0), data, problem, c.algorithm->info().stable, 1);
  if (!found.ok()) throw std::runtime_error("the output is wrong");
}

}  // namespace
}  // namespace sortlab

int main(int count, char** arguments) try {
  const std::span<char* const> words{arguments + 1, arguments + count};
  for (auto begin = words.begin();;) {
    const auto end = std::find(begin, words.end(), std::string_view{"--"});
    sortlab::sort_case({begin, end});
    if (end == words.end()) return 0;
    begin = end + 1;
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "sort_once: {}\n", error.what());
  return 1;
}
