// Lines of text files as the keys of records: where lines end, parts of a file, and files that change.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "core/temporary_folder.hpp"
#include "generators/record_distribution.hpp"
#include "generators/user_file.hpp"
#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

class Lines : public testing::Test {
 protected:
  /// Writes a file and returns it as a distribution.
  NamedDistribution write(const std::string& bytes, const std::string& options = "") {
    std::ofstream{folder_ / "words.txt", std::ios::binary} << bytes;
    return parse_distribution("lines:" + path() + options);
  }
  std::string path() const { return folder_.file("words.txt"); }

  static std::uint64_t held(const NamedDistribution& named) {
    const auto extent = named.distribution->extent(named.parameters);
    EXPECT_TRUE(extent && extent->key == KeyType::string);
    return extent ? extent->n : 0;
  }

  /// The keys of an input of n lines.
  static std::vector<std::string> keys(const NamedDistribution& named, std::uint64_t n, std::uint64_t seed = 1,
                                       int threads = 1) {
    const auto& lines = dynamic_cast<const RecordDistribution&>(*named.distribution);
    const Input input = make_input(named.text, KeyType::string, n, seed);
    std::vector<Record> records(n);
    std::vector<std::uint8_t> bytes(lines.total_bytes(input, threads));
    lines.fill_records(input, records.data(), bytes.data(), threads);
    std::vector<std::string> found;
    for (const Record& r : records)
      found.emplace_back(bytes.begin() + r.offset, bytes.begin() + r.offset + r.key_bytes);
    return found;
  }

  TemporaryFolder folder_;
};

using Texts = std::vector<std::string>;

TEST_F(Lines, EndWithALineFeedOrTheFile) {
  const std::vector<std::pair<std::string, Texts>> files{
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\n", {"a"}},
      {"a\n\nb", {"a", "", "b"}},
      {"a\r\nb\r\n", {"a", "b"}},
      {"a\rb\r\n\r", {"a\rb", ""}},
      {std::string{"\0\xff\n\t", 4}, {std::string{"\0\xff", 2}, "\t"}},
  };
  for (const auto& [bytes, lines] : files) {
    const NamedDistribution named = write(bytes);
    ASSERT_EQ(held(named), lines.size()) << bytes;
    EXPECT_EQ(keys(named, lines.size()), lines) << bytes;
  }
}

TEST_F(Lines, MayCrossThePartsThatAreReadAtATime) {
  Texts lines;
  std::string bytes;
  for (std::size_t i = 0; i < 60; ++i) {
    // One is longer than two parts of a MiB; the carriage return of another ends a part.
    lines.emplace_back(i == 7 ? 2'500'000 : i == 0 ? (1 << 20) - 1 : i * 997, static_cast<char>('a' + i % 26));
    bytes += lines.back() + "\r\n";
  }
  const NamedDistribution named = write(bytes);
  for (const int threads : {1, 3}) EXPECT_EQ(keys(named, lines.size(), 1, threads), lines);
}

TEST_F(Lines, FewerThanTheFileHoldsAreAPartOfIt) {
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) bytes += std::to_string(i) + "\n";
  const NamedDistribution all = write(bytes);
  const NamedDistribution window = write(bytes, ",window=500");
  const NamedDistribution sample = write(bytes, ",sample=yes");
  std::set<std::string> firsts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Texts part = keys(all, 100, seed);
    firsts.insert(part.front());
    for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(std::stoul(part[i]), std::stoul(part.front()) + i);
    const Texts spread = keys(sample, 100, seed);
    for (std::size_t i = 0; i < spread.size(); ++i) ASSERT_EQ(std::stoul(spread[i]) / 100, i);
  }
  EXPECT_GT(firsts.size(), 15U);
  EXPECT_EQ(keys(window, 2), (Texts{"500", "501"}));
  const auto declined = [](const NamedDistribution& named, KeyType key, std::uint64_t n) {
    return named.distribution->declines(make_input(named.text, key, n)).value_or("");
  };
  EXPECT_EQ(declined(all, KeyType::string, 10'000), "");
  EXPECT_EQ(declined(all, KeyType::string, 10'001), "words.txt holds 10000 lines, not 10001");
  EXPECT_EQ(declined(window, KeyType::string, 9'501), "words.txt holds 10000 lines, not 9501 from line 500 on");
  EXPECT_EQ(declined(all, KeyType::u32, 10), "words.txt holds lines of text, not u32");
}

TEST_F(Lines, AreNamedByTheirContentAndKnownToAWorker) {
  const NamedDistribution named = write("one\ntwo\n");
  EXPECT_TRUE(named.text.starts_with("lines:name=words.txt,digest=")) << named.text;
  EXPECT_EQ(parse_distribution(named.text).text, named.text);
  EXPECT_NE(write("one\ntwo").text, named.text);
  const std::string facts = named.distribution->facts_for_workers(write("one\ntwo\n").parameters);
  EXPECT_EQ(facts.find(folder_.path().string()), std::string::npos);
  named.distribution->take_facts(facts);
  EXPECT_EQ(keys(named, 2), (Texts{"one", "two"}));
}

TEST_F(Lines, OfAFileThatChangedAreNotRead) {
  const NamedDistribution named = write("one\ntwo\n");
  std::filesystem::resize_file(path(), 3);
  EXPECT_THROW(keys(named, 2), FileChanged);
  std::filesystem::remove(path());
  EXPECT_THROW(keys(named, 2), FileChanged);
  EXPECT_THROW(parse_distribution("lines:" + path()), BadInput);
  EXPECT_THROW(parse_distribution("lines:" + folder_.path().string()), BadInput);
  EXPECT_THROW(parse_distribution("lines:"), BadInput);
}

}  // namespace
}  // namespace sortlab
