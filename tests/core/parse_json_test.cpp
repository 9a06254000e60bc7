// The limits on foreign JSON: levels and numbers; and the position of syntax errors.
#include "core/parse_json.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace sortlab {
namespace {

std::string complaint(std::string_view text) {
  try {
    parse_json(text);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "";
}

std::string nested(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
}

TEST(ParseJson, KeepsTheOrderOfMembers) {
  EXPECT_EQ(parse_json(R"({"b":1,"a":[2,{"c":"\"[{"}]})").dump(), R"({"b":1,"a":[2,{"c":"\"[{"}]})");
}

TEST(ParseJson, LimitsTheLevels) {
  EXPECT_EQ(complaint(nested(kMaxJsonLevels)), "");
  EXPECT_EQ(complaint(nested(kMaxJsonLevels + 1)), "nested too deeply; allowed: 64 levels");
  std::string beside = "[";  // adjacent, not nested
  for (int i = 0; i < 1000; ++i) beside += "[{}],";
  EXPECT_EQ(complaint(beside + "1]"), "");
  EXPECT_EQ(complaint("\"" + std::string(1000, '[') + "\""), "");
  EXPECT_EQ(complaint(R"("\")" + std::string(1000, '{') + "\""), "");
}

TEST(ParseJson, RefusesBracketsWithoutAnEndAtOnce) {
  const std::string text(kMaxJsonBytes, '[');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(complaint(text), "nested too deeply; allowed: 64 levels");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{100});
}

TEST(ParseJson, NamesTheFieldOfANumberThatIsTooLarge) {
  const std::string digits = "1" + std::string(399, '0');
  const std::string too_large = "a number of 400 characters is too large; allowed: -1.8e308 to 1.8e308";
  EXPECT_EQ(complaint(digits), too_large);
  EXPECT_EQ(complaint(R"({"seed":)" + digits + "}"), "seed: " + too_large);
  EXPECT_EQ(complaint(R"({"a":{"b":[1]},"sweeps":[{"n":[1,"x",{},[2],)" + digits + R"(]}]})"),
            "sweeps[0].n[4]: " + too_large);
  EXPECT_EQ(complaint("[[],[{\"s\":null},-1e999]]"),
            "[1][1]: a number of 6 characters is too large; allowed: -1.8e308 to 1.8e308");
}

TEST(ParseJson, SaysWhatIsWrongInItsOwnWords) {
  EXPECT_EQ(complaint("{"), "not JSON");
  EXPECT_EQ(complaint(""), "not JSON");
  EXPECT_EQ(complaint("\"\xff\""), "not JSON");
  EXPECT_EQ(complaint(std::string(kMaxJsonBytes + 1, ' ')), "too long; allowed: 64 MiB");
}

}  // namespace
}  // namespace sortlab
