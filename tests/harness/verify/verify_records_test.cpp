// Outputs of records that are wrong on purpose. Each must be caught for the right reason.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

struct KeyAndPayload {
  std::string key, payload;
};

/// Records one after the other.
struct Packed {
  std::vector<Record> records;
  std::vector<std::uint8_t> bytes;

  explicit Packed(const std::vector<KeyAndPayload>& list) {
    for (const auto& [key, payload] : list) {
      records.push_back(
          {bytes.size(), static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(payload.size())});
      bytes.insert(bytes.end(), key.begin(), key.end());
      bytes.insert(bytes.end(), payload.begin(), payload.end());
    }
  }
  Buffers buffers() {
    return {.keys = {records.data(), records.size()}, .values = {}, .bytes = {bytes.data(), bytes.size()}};
  }
};

std::string id(char number) {
  return {number, 0, 0, 0, 0, 0, 0, 0};
}

/// Sorted records, with equal prefixes, equal keys, and keys that differ by a zero at their end.
std::vector<KeyAndPayload> sorted() {
  using namespace std::string_literals;
  return {{"", id(4)},          {"a", id(0) + "x"}, {"a\0"s, id(2)},       {"a\0b"s, id(3)}, {"prefixes1", id(5)},
          {"prefixes2", id(1)}, {"same", id(6)},    {"same", id(7) + "y"}, {"\xFF", id(8)}};
}

/// The message of verify() for `output` if the sorted records above are expected.
Verification verdict_on(const std::vector<KeyAndPayload>& output, bool claims_stable = true) {
  Packed input{sorted()};
  Packed packed{output};
  const Problem problem{.key = KeyType::string, .n = input.records.size(), .bytes = input.bytes.size()};
  return verify(digest_input(input.buffers(), problem, 2), packed.buffers(), problem, claims_stable, 2);
}

TEST(VerifyRecords, AcceptsWhatIsRight) {
  const Verification verdict = verdict_on(sorted());
  EXPECT_TRUE(verdict.ok()) << verdict.reason;
  EXPECT_TRUE(verdict.order && verdict.multiset && *verdict.pairing && *verdict.stability);
}

TEST(VerifyRecords, AcceptsNoRecords) {
  Packed none{{}};
  const Problem problem{.key = KeyType::string};
  EXPECT_TRUE(verify(digest_input(none.buffers(), problem, 1), none.buffers(), problem, true, 1).ok());
}

TEST(VerifyRecords, SeesADroppedRecord) {
  auto records = sorted();
  records.erase(records.begin() + 3);
  EXPECT_EQ(verdict_on(records).reason, "returned 8 records in 96 bytes for 9 in 107");
}

TEST(VerifyRecords, SeesOneDoubledOverAnother) {
  auto records = sorted();
  records[4] = records[5];  // has the same length
  EXPECT_FALSE(verdict_on(records).multiset);
}

TEST(VerifyRecords, SeesTwoSwapped) {
  auto records = sorted();
  std::swap(records[1], records[6]);
  EXPECT_EQ(verdict_on(records).reason, "out of order at record 2 of 9");
}

TEST(VerifyRecords, SeesATieThatWasNotResolved) {
  auto records = sorted();
  std::swap(records[4], records[5]);
  EXPECT_EQ(verdict_on(records).reason, "out of order at record 5 of 9");
}

TEST(VerifyRecords, SeesThatTheShorterKeyDoesNotComeFirst) {
  auto records = sorted();
  std::swap(records[1], records[2]);
  EXPECT_EQ(verdict_on(records).reason, "out of order at record 2 of 9");
}

TEST(VerifyRecords, SeesATruncatedRecord) {
  auto records = sorted();
  records[4].key.pop_back();  // "prefixes" still comes before "prefixes2"
  EXPECT_EQ(verdict_on(records).reason, "returned 9 records in 106 bytes for 9 in 107");
  records[4].payload += '!';
  EXPECT_FALSE(verdict_on(records).multiset);
}

TEST(VerifyRecords, SeesPayloadsThatPartedFromTheirKeys) {
  auto records = sorted();
  std::swap(records[4].payload, records[5].payload);
  EXPECT_EQ(verdict_on(records).reason, "payloads parted from their keys, lost or changed");
  records = sorted();
  std::swap(records[1].payload, records[2].payload);  // have different lengths
  EXPECT_EQ(verdict_on(records).pairing, false);
  records = sorted();
  records[8].payload[7] = 1;
  EXPECT_EQ(verdict_on(records).pairing, false);
}

TEST(VerifyRecords, SeesAByteThatWentFromPayloadToKey) {
  auto records = sorted();
  records[8].key += records[8].payload.front();
  records[8].payload.erase(0, 1);
  EXPECT_FALSE(verdict_on(records).multiset);
}

TEST(VerifyRecords, SeesEqualKeysThatChangedPlaces) {
  auto records = sorted();
  std::swap(records[6], records[7]);
  EXPECT_EQ(verdict_on(records).reason, "claims to be stable, but equal keys changed places at record 7 of 9");
  EXPECT_TRUE(verdict_on(records, false).ok());
}

TEST(VerifyRecords, SeesRecordsThatWereNotRearranged) {
  Packed input{{{"b", ""}, {"a", ""}}};
  const Problem problem{.key = KeyType::string, .n = 2, .bytes = 2};
  const InputDigest digest = digest_input(input.buffers(), problem, 1);
  std::swap(input.records[0], input.records[1]);  // in order, but not moved
  EXPECT_EQ(verify(digest, input.buffers(), problem, false, 1).reason,
            "record 0 of 2 does not begin where the one before it ends");
  input.records = {{0, 1, 0}, {1, 2, 0}};
  EXPECT_EQ(verify(digest, input.buffers(), problem, false, 1).reason,
            "record 1 of 2 does not begin where the one before it ends");
}

}  // namespace
}  // namespace sortlab
