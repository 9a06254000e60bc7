#include "harness/record/record_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "core/parameters.hpp"
#include "harness/machine/checkout.hpp"

namespace sortlab {
namespace {

class RecordReader : public ::testing::Test {
 protected:
  std::filesystem::path write(std::string_view text) const {
    std::ofstream{path_, std::ios::binary} << text;
    return path_;
  }
  std::string complaint(std::string_view text) const {
    try {
      read_records(write(text));
    } catch (const BadInput& error) {
      return error.what();
    }
    return "";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("record_reader_test_" + std::to_string(getpid()) + ".jsonl");
};

constexpr std::string_view kGood = R"({"schema":1,"kind":"run","run":"a"})"
                                   "\n";

TEST_F(RecordReader, ReadsTheExamples) {
  const RecordFile file = read_records(checkout_root() / "tests/data/example_records.jsonl");
  EXPECT_EQ(file.records.size(), 5U);
  EXPECT_FALSE(file.torn);
  EXPECT_EQ(file.records.at(1).at("status"), "ok");
}

TEST_F(RecordReader, LeavesOutATornLastLine) {
  const std::string whole = std::string{kGood} + std::string{kGood};
  for (std::size_t cut = kGood.size() + 1; cut + 2 < whole.size(); ++cut) {
    const RecordFile file = read_records(write(whole.substr(0, cut)));
    EXPECT_TRUE(file.torn) << cut;
    EXPECT_EQ(file.records.size(), 1U) << cut;
  }
}

TEST_F(RecordReader, LeavesOutZerosAtTheEnd) {
  const RecordFile file = read_records(write(std::string{kGood} + R"({"sch)" + std::string(8, '\0')));
  EXPECT_EQ(file.records.size(), 1U);
  EXPECT_TRUE(file.torn);
  EXPECT_EQ(file.end_note, "a torn last line and zeros at its end (8 B) were left out");
  EXPECT_EQ(file.whole_bytes, kGood.size());
}

TEST_F(RecordReader, HoldsTheMembersOfAMeasurementToTheirTypes) {
  const auto wrong = [&](const std::string& member) {
    return complaint(R"({"schema":1,"kind":"measurement",)" + member + "}\n");
  };
  const std::string where = path_.string() + ":1: ";
  EXPECT_EQ(wrong(R"("status":5)"), where + "status: must be a text");
  EXPECT_EQ(wrong(R"("status":"fine")"), where + "status: must be ok, wrong, failed, crashed, timeout or skipped");
  EXPECT_EQ(wrong(R"("key":["a"])"), where + "key: must be a text");
  EXPECT_EQ(wrong(R"("case":null)"), where + "case: must be an object");
  EXPECT_EQ(wrong(R"("median_s":"1")"), where + "median_s: must be a finite number above 0");
  EXPECT_EQ(wrong(R"("median_s":1e999)"),
            where + "median_s: a number of 5 characters is too large; allowed: -1.8e308 to 1.8e308");
  EXPECT_EQ(wrong(R"("status":"ok","median_s":1)"), "");
}

TEST_F(RecordReader, RefusesALineBeyondTheLimit) {
  const std::string good{kGood};
  EXPECT_EQ(complaint(good + std::string((std::size_t{64} << 20) + 1, ' ') + "\n" + good),
            path_.string() + ":2: too long; allowed: 64 MiB a line");
  EXPECT_EQ(complaint(good + "[" + std::string(std::size_t{65} << 20, '[')),
            path_.string() + ":2: too long; allowed: 64 MiB a line");
}

TEST_F(RecordReader, NamesTheLineOfABrokenRecord) {
  const std::string good{kGood};
  EXPECT_EQ(complaint(good + "{broken\n" + good), path_.string() + ":2: not JSON");
  EXPECT_EQ(complaint(good + "{broken\n"), path_.string() + ":2: not JSON") << "a whole line, not a torn one";
  EXPECT_EQ(complaint("[1]\n"), path_.string() + ":1: not a JSON object");
  EXPECT_EQ(complaint("{\"schema\":2,\"kind\":\"run\"}\n"), path_.string() + ":1: schema: must be 1");
  EXPECT_NE(complaint("{\"schema\":1}\n").find(":1: kind:"), std::string::npos);
}

TEST_F(RecordReader, RefusesBinaryAndDeepNesting) {
  EXPECT_NE(complaint(std::string_view{"\x7f"
                                       "ELF\0\1\2\3\xff\xfe",
                                       10}),
            "");
  const std::string deep =
      std::string{R"({"schema":1,"kind":"run","x":)"} + std::string(1000000, '[') + std::string(1000000, ']') + "}\n";
  EXPECT_EQ(complaint(deep), path_.string() + ":1: nested too deeply; allowed: 64 levels");
}

TEST_F(RecordReader, SaysWhyAFileCannotBeRead) {
  EXPECT_THROW(read_records("/no/such/file.jsonl"), BadInput);
  EXPECT_THROW(read_records("/"), BadInput);
  EXPECT_TRUE(read_records(write("")).records.empty());
}

}  // namespace
}  // namespace sortlab
