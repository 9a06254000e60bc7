// Sorts once, in a function whose name separates the sort from everything else for an instrument:
//   sort_once ALGORITHM KEY VALUE N DISTRIBUTION [PARAMETER=VALUE ...]
#include <fmt/format.h>

#include "harness/cell/problem.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/measure/block_input.hpp"

extern "C" [[gnu::noinline]] void sort_that_counts(sortlab::Sorter* sorter, sortlab::Buffers* data) {
  sortlab::PhaseTimer phases;
  *data = sorter->sort(*data, phases);
}

int main(int count, char** arguments) try {
  using namespace sortlab;
  if (count < 6) throw BadInput("usage: sort_once ALGORITHM KEY VALUE N DISTRIBUTION [PARAMETER=VALUE ...]");
  CaseOptions options;
  options.algorithms = {arguments[1]};
  options.keys = {arguments[2]};
  options.values = {arguments[3]};
  options.n = {arguments[4]};
  options.distributions = {arguments[5]};
  options.parameters.assign(arguments + 6, arguments + count);
  const Case c = expand_sweeps({make_sweep(options, Protocol{})}).at(0).subject;
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
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "sort_once: {}\n", error.what());
  return 1;
}
