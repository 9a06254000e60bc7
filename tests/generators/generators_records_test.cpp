// Properties of every distribution of records, and of each one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "generators/record_distribution.hpp"
#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

const std::vector<std::string> kRecordInputs{
    "random_strings:max_length=32",
    "random_strings:max_length=9,min_length=3,alphabet=letters,payload=5",
    "random_strings:max_length=700,alphabet=extremes,payload=40,payload_lengths=uniform",
    "one_long_string:long_length=5000",
    "shared_prefix:prefix=20,groups=7",
    "shared_prefix:prefix=12,max_length=0",
    "words:theta=1",
    "words:theta=0,distinct=3",
    "urls:hosts=10,payload=100",
};

struct Made {
  std::vector<Record> records;
  std::vector<std::uint8_t> bytes;

  std::string key(std::uint64_t i) const {
    const auto* at = reinterpret_cast<const char*>(bytes.data() + records[i].offset);
    return {at, records[i].key_bytes};
  }
  std::string payload(std::uint64_t i) const {
    const auto* at = reinterpret_cast<const char*>(bytes.data() + records[i].offset + records[i].key_bytes);
    return {at, records[i].payload_bytes};
  }
};

Made made(const std::string& text, std::uint64_t n, std::uint64_t seed = 1, int threads = 1) {
  const auto& distribution = dynamic_cast<const RecordDistribution&>(*parse_distribution(text).distribution);
  const Input input = make_input(text, KeyType::string, n, seed);
  Made records{std::vector<Record>(n), std::vector<std::uint8_t>(distribution.total_bytes(input, threads) + 64, 0xA5)};
  distribution.fill_records(input, records.records.data(), records.bytes.data(), threads);
  const auto guard = records.bytes.end() - 64;
  EXPECT_TRUE(std::all_of(guard, records.bytes.end(), [](std::uint8_t b) { return b == 0xA5; })) << text;
  records.bytes.resize(records.bytes.size() - 64);
  return records;
}

std::uint64_t records_digest(const Made& records) {
  std::vector<std::byte> bytes(records.bytes.size());
  std::ranges::transform(records.bytes, bytes.begin(), [](std::uint8_t b) { return std::byte{b}; });
  for (const Record& r : records.records) bytes.push_back(static_cast<std::byte>(r.key_bytes));
  return digest(bytes);
}

TEST(RecordDistributions, AllAreTested) {
  std::set<std::string> tested;
  for (const std::string& text : kRecordInputs) tested.insert(parse_distribution(text).distribution->info().name);
  tested.insert("lines");  // generators_lines_test.cpp
  for (const Distribution* distribution : all_distributions()) {
    EXPECT_EQ(distribution->makes_records(), tested.contains(distribution->info().name)) << distribution->info().name;
  }
}

TEST(RecordDistributions, RecordsLieOneBehindTheOther) {
  for (const std::string& text : kRecordInputs) {
    const Made records = made(text, 1000);
    std::uint64_t place = 0;
    for (const Record& record : records.records) {
      ASSERT_EQ(record.offset, place) << text;
      place += record.bytes();
    }
    EXPECT_EQ(place, records.bytes.size()) << text;
  }
}

TEST(RecordDistributions, SameBytesForAnyNumberOfThreads) {
  for (const std::string& text : kRecordInputs) {
    for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 300ULL, 5000ULL}) {
      const std::uint64_t one = records_digest(made(text, n, 9, 1));
      for (const int threads : {2, 3, 7}) ASSERT_EQ(records_digest(made(text, n, 9, threads)), one) << text << " " << n;
    }
  }
}

TEST(RecordDistributions, SeedsMakeDifferentInputs) {
  for (const std::string& text : kRecordInputs) {
    for (const std::uint64_t other : {2ULL, 1ULL + (1ULL << 32)}) {
      EXPECT_NE(records_digest(made(text, 1000, 1)), records_digest(made(text, 1000, other))) << text;
    }
  }
}

TEST(RecordDistributions, PinnedDigests) {
  // A change here changes every recorded input, so that earlier records can no longer be compared.
  const std::vector<std::uint64_t> pins{
#include "tests/data/generators_record_digests.inc"
  };
  ASSERT_EQ(pins.size(), kRecordInputs.size());
  for (std::size_t i = 0; i < pins.size(); ++i) {
    EXPECT_EQ(records_digest(made(kRecordInputs[i], 1009, 20100608, 2)), pins[i])
        << std::hex << "0x" << records_digest(made(kRecordInputs[i], 1009, 20100608, 2)) << ",  // "
        << kRecordInputs[i];
  }
}

TEST(RecordDistributions, LengthsAndAlphabetsAreThoseAskedFor) {
  const Made letters = made("random_strings:max_length=9,min_length=3,alphabet=letters,payload=20", 5000);
  std::set<std::size_t> lengths;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const std::string key = letters.key(i);
    lengths.insert(key.size());
    ASSERT_EQ(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos) << key;
    ASSERT_EQ(letters.payload(i).size(), 20U);
    std::uint64_t id = 0;
    std::memcpy(&id, letters.payload(i).data(), 8);
    ASSERT_EQ(id, i);
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{3, 4, 5, 6, 7, 8, 9}));

  std::set<char> bytes;
  const Made extremes = made("random_strings:max_length=8,alphabet=extremes", 100);
  for (const std::uint8_t byte : extremes.bytes) bytes.insert(static_cast<char>(byte));
  EXPECT_EQ(bytes, (std::set<char>{'\x00', '\xFF'}));
  EXPECT_TRUE(std::ranges::any_of(extremes.records, [](const Record& r) { return r.key_bytes == 0; }));
  EXPECT_TRUE(made("random_strings:max_length=0", 100).bytes.empty());
}

TEST(RecordDistributions, PayloadLengthsAreUniformIfAskedFor) {
  const Made records = made("random_strings:max_length=0,payload=3,payload_lengths=uniform", 1000);
  std::set<std::uint32_t> lengths;
  for (const Record& record : records.records) lengths.insert(record.payload_bytes);
  EXPECT_EQ(lengths, (std::set<std::uint32_t>{0, 1, 2, 3}));
}

TEST(RecordDistributions, OneIsLong) {
  const Made records = made("one_long_string:long_length=5000", 101);
  for (std::uint64_t i = 0; i < 101; ++i) {
    EXPECT_EQ(records.records[i].key_bytes > 16, i == 50) << i;
  }
  EXPECT_EQ(records.records[50].key_bytes, 5000U);
}

TEST(RecordDistributions, PrefixesAreShared) {
  const Made records = made("shared_prefix:prefix=20,groups=7", 2000);
  std::set<std::string> prefixes, keys;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    prefixes.insert(records.key(i).substr(0, 20));
    keys.insert(records.key(i));
  }
  EXPECT_EQ(prefixes.size(), 7U);
  EXPECT_GT(keys.size(), 1500U);
  const Made equal = made("shared_prefix:prefix=12,max_length=0", 50);
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(equal.key(i), equal.key(0));
}

TEST(RecordDistributions, WordsFollowZipf) {
  const Made records = made("words:theta=1,distinct=100000", 20000);
  std::map<std::string, int> counts;
  for (std::uint64_t i = 0; i < 20000; ++i) ++counts[records.key(i)];
  int most = 0;
  for (const auto& [word, count] : counts) {
    most = std::max(most, count);
    ASSERT_TRUE(word.size() >= 3 && word.size() <= 14) << word;
  }
  EXPECT_NEAR(most / 20000.0, 1 / 12.09, 0.01);  // 1 / (1 + 1/2 + ... + 1/100000)
  EXPECT_LE(made("words:theta=0,distinct=3", 1000).bytes.size(), 14000U);
}

TEST(RecordDistributions, UrlsLookLikeUrls) {
  const Made records = made("urls:hosts=10", 500);
  std::set<std::string> hosts;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::string key = records.key(i);
    ASSERT_EQ(key.substr(0, 12), "https://www.");
    const std::size_t end = key.find(".com/");
    ASSERT_NE(end, std::string::npos) << key;
    hosts.insert(key.substr(12, end - 12));
  }
  EXPECT_GT(hosts.size(), 5U);
  EXPECT_LE(hosts.size(), 10U);
}

TEST(RecordDistributions, MakeNoKeysOfFixedWidth) {
  const NamedDistribution words = parse_distribution("words");
  std::uint64_t key = 0;
  EXPECT_THROW(words.distribution->fill(make_input("words", KeyType::u64, 1), &key, 1), std::logic_error);
  EXPECT_TRUE(parse_distribution("random_strings")
                  .distribution->declines(make_input("random_strings:min_length=9,max_length=8", KeyType::string, 1)));
  EXPECT_THROW(parse_distribution("random_strings:max_length=-1"), BadInput);
  EXPECT_THROW(parse_distribution("words:payload=65537"), BadInput);
}

}  // namespace
}  // namespace sortlab
