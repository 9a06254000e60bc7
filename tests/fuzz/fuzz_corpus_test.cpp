// The fuzzers' seeds and past findings, given to the parsers: each must return an answer.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/read_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace sortlab::fuzz {
namespace {

TEST(FuzzCorpus, EveryInputKeptIsAnswered) {
  for (const Target& target : kTargets) {
    std::size_t inputs = 0;
    const auto folder = std::filesystem::path(SORTLAB_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / target.name;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      SCOPED_TRACE(entry.path().string());
      const std::string bytes = read_file(entry.path()).value();
      EXPECT_NO_THROW(target.take({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
      ++inputs;
    }
    EXPECT_GT(inputs, 0U) << target.name;
  }
}

}  // namespace
}  // namespace sortlab::fuzz
