// Answers of `bench` and `run` to options and configs that are not allowed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command_line_runs.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

using BadCommandLine = CommandLineRuns;

TEST_F(BadCommandLine, BadInputIsOneLineStatusTwoAndNothingWritten) {
  configure(R"("planted_sort")");
  std::ofstream{folder_ / "broken.json"} << "{\"name\":";
  std::ofstream{folder_ / "notes.md"} << "notes\n";
  const std::string broken = (folder_ / "broken.json").string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"bench", "--algorithm", "planted_srot"}, "did you mean 'planted_sort'"},
      {{"bench", "--algorithm", "planted_sort", "--key", "u33"}, "key: unknown type 'u33'"},
      {{"bench", "--algorithm", "planted_sort", "--value", "f32"}, "allowed: none, u32, u64"},
      {{"bench", "--algorithm", "planted_sort", "--n", "-5"}, "n: '-5'"},
      {{"bench", "--algorithm", "planted_sort", "--n", "2^99"}, "n: '2^99'"},
      {{"bench", "--algorithm", "planted_sort", "--dist", "unifrom"}, "did you mean 'uniform'"},
      {{"bench", "--algorithm", "planted_sort", "--dist", "thearling:ands=x"}, "ands"},
      {{"bench", "--algorithm", "planted_sort", "--param", "digit_bits=8"}, "param:"},
      {{"bench", "--algorithm", "planted_sort", "--preset", "paper"}, "preset"},
      {{"bench", "--algorithm", "planted_sort", "--threads", "0"}, "threads: '0'"},
      {{"bench", "--algorithm", "planted_sort", "--threads", "two"}, "threads: 'two'"},
      {{"bench", "--algorithm", "planted_sort", "--seed", "-1"}, "seed: '-1'"},
      {{"bench", "--algorithm", "planted_sort", "--samples", "0"}, "samples: '0'"},
      {{"bench", "--algorithm", "planted_sort", "--samples", "many"}, "samples: 'many'"},
      {{"bench", "--algorithm", "planted_sort", "--samples", "2^20"},
       "samples: '2^20' is not allowed; allowed: 1 to 1000000"},
      {{"bench", "--algorithm", "planted_sort", "--processes", "1.5"},
       "processes: '1.5' is not allowed; allowed: 1 to 1000"},
      {{"bench", "--algorithm", "planted_sort", "--layout", "apart"}, "layout"},
      {{"bench", "--algorithm", "planted_sort", "--residency", "gpu"}, "residency: 'gpu'"},
      {{"bench", "--algorithm", "planted_sort", "--host-memory", "fast"}, "host_memory: 'fast'"},
      {{"bench", "--algorithm", "planted_sort", "--sample", "3"}, "--samples"},
      {{"bench"}, "algorithm"},
      {{"run", config_, "--shard", "5/3"}, "shard: '5/3'"},
      {{"run", config_, "--shard", "1"}, "shard: '1'"},
      {{"run", config_, "--filter", "nothing at all"}, "matches no cell"},
      {{"run", config_, "--filter", "(("}, "no regular expression"},
      {{"run", config_, "--time-budget", "soon"}, "time-budget: 'soon'"},
      {{"run", (folder_ / "missing.json").string()}, "no such file"},
      {{"run", broken}, "is not JSON"},
      {{"run", folder_.path().string()}, "is a folder"},
      {{"run"}, "config"},
  };
  for (auto [words, fragment] : table) {
    words.insert(words.end(), {"--out", out_});
    const Answer answer = sortlab_with(words);
    EXPECT_EQ(answer.status, 2) << answer.error;
    EXPECT_EQ(std::ranges::count(answer.error, '\n'), 1) << answer.error;
    EXPECT_NE(answer.error.find(fragment), std::string::npos) << answer.error;
    EXPECT_EQ(answer.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_)) << answer.error;
  }
  const Answer foreign = sortlab_with({"run", config_, "--out", (folder_ / "notes.md").string()});
  EXPECT_EQ(foreign.status, 2) << foreign.error;
}

}  // namespace
}  // namespace sortlab
