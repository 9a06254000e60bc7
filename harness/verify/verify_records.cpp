#include "harness/verify/verify_records.hpp"

#include <fmt/format.h>

#include <mutex>

#include "core/parallel.hpp"
#include "harness/verify/element_hash.hpp"
#include "harness/verify/findings.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kGrain = 4096;  ///< records
constexpr std::uint32_t kIdBytes = 8;   ///< size of the id with which a payload begins

/// Hash of `bytes` and their number: each word of eight bytes is multiplied into the hash of those before it.
std::uint64_t hash_of_bytes(const std::uint8_t* data, std::uint64_t bytes) {
  using namespace element_hash_detail;
  std::uint64_t hash = bytes + kRoot2;
  const auto take = [&](std::uint64_t word) { hash = fold(hash ^ kRoot5, word + kRoot3) + word; };
  std::uint64_t at = 0;
  std::uint64_t word = 0;
  for (; at + 8 <= bytes; at += 8) {
    std::memcpy(&word, data + at, 8);
    take(word);
  }
  if (at < bytes) {
    word = 0;
    std::memcpy(&word, data + at, bytes - at);
    take(word);
  }
  return fold(hash ^ kRoot7, hash + kRoot3);
}

/// Records with their bytes. Precondition: all lie within these.
class Records {
 public:
  explicit Records(const Buffers& buffers)
      : records_(buffers.keys.as<const Record>().data()), bytes_(buffers.bytes.as<const std::uint8_t>().data()) {}

  const Record& operator[](std::uint64_t i) const { return records_[i]; }
  int compare(std::uint64_t i, std::uint64_t j) const { return compare_keys(records_[i], bytes_, records_[j], bytes_); }
  bool has_id(std::uint64_t i) const { return records_[i].payload_bytes >= kIdBytes; }
  std::uint64_t id(std::uint64_t i) const {
    std::uint64_t id = 0;
    for (int byte = kIdBytes - 1; byte >= 0; --byte) id = id << 8 | payload(i)[byte];
    return id;
  }
  void add_digests(std::uint64_t i, Findings& found) const {
    const std::uint64_t key = hash_of_bytes(bytes_ + records_[i].offset, records_[i].key_bytes);
    found.keys += key;
    if (records_[i].payload_bytes == 0) return;
    found.pairs += hash_of_pair(key, hash_of_bytes(payload(i), records_[i].payload_bytes));
  }

 private:
  const std::uint8_t* payload(std::uint64_t i) const { return bytes_ + records_[i].offset + records_[i].key_bytes; }

  const Record* records_;
  const std::uint8_t* bytes_;
};

struct RecordFindings : Findings {
  std::uint64_t ids = 0;  ///< neighbours of equal keys whose ids could be compared
};

/// Calls `share(begin, end, findings)` for parts of [0, n) and joins what they find.
template <class Share>
RecordFindings find_in_parallel(std::uint64_t n, int threads, const Share& share) {
  RecordFindings all;
  std::mutex joining;
  in_parallel(n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    RecordFindings mine;
    share(begin, end, mine);
    const std::scoped_lock lock{joining};
    all.keys += mine.keys;
    all.pairs += mine.pairs;
    all.ids += mine.ids;
    all.descends_at = std::min(all.descends_at, mine.descends_at);
    all.swapped_at = std::min(all.swapped_at, mine.swapped_at);
  });
  return all;
}

void check(const Records& records, std::uint64_t begin, std::uint64_t end, RecordFindings& found) {
  for (std::uint64_t i = begin; i < end; ++i) {
    records.add_digests(i, found);
    if (i == 0) continue;
    const int order = records.compare(i - 1, i);
    if (order > 0) found.descends_at = std::min(found.descends_at, i);
    if (order != 0 || !records.has_id(i - 1) || !records.has_id(i)) continue;
    ++found.ids;
    if (records.id(i) <= records.id(i - 1)) found.swapped_at = std::min(found.swapped_at, i);
  }
}

/// Index of the first record that does not begin where the one before it ends, or that goes beyond the bytes; n if
/// there is none.
std::uint64_t first_displaced(const Buffers& output, std::uint64_t n) {
  const auto records = output.keys.as<const Record>();
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (records[i].offset != place || records[i].bytes() > output.bytes.count - place) return i;
    place += records[i].bytes();
  }
  return n;
}

std::string words_for(const Verification& verdict, const Findings& found, std::uint64_t n) {
  if (!verdict.multiset) return "the keys are not those of the input: some lost, changed or doubled";
  if (!verdict.order) return fmt::format("out of order at record {} of {}", found.descends_at, n);
  if (verdict.pairing == false) return "payloads parted from their keys, lost or changed";
  if (verdict.stability == false) {
    return fmt::format("claims to be stable, but equal keys changed places at record {} of {}", found.swapped_at, n);
  }
  return {};
}

}  // namespace

InputDigest digest_of_records(const Buffers& input, const Problem& problem, int threads) {
  const Records records{input};
  const auto found = find_in_parallel(problem.n, threads, [&](std::uint64_t begin, std::uint64_t end, auto& mine) {
    for (std::uint64_t i = begin; i < end; ++i) records.add_digests(i, mine);
  });
  return {problem.n, found.keys, found.pairs};
}

Verification verify_records(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                            int threads) {
  Verification verdict;
  verdict.digest = fmt::format("{:016x}", 0);
  if (output.keys.count != input.n || output.bytes.count != problem.bytes) {
    verdict.reason = fmt::format("returned {} records in {} bytes for {} in {}", output.keys.count, output.bytes.count,
                                 input.n, problem.bytes);
    return verdict;
  }
  if (const std::uint64_t i = first_displaced(output, input.n); i < input.n) {
    verdict.reason = fmt::format("record {} of {} does not begin where the one before it ends", i, input.n);
    return verdict;
  }
  const Records records{output};
  const auto found = find_in_parallel(
      input.n, threads, [&](std::uint64_t begin, std::uint64_t end, auto& mine) { check(records, begin, end, mine); });
  verdict.order = found.descends_at == kNowhere;
  verdict.multiset = found.keys == input.keys;
  if (input.pairs != 0) verdict.pairing = found.pairs == input.pairs;
  if (claims_stable && found.ids != 0) verdict.stability = found.swapped_at == kNowhere;
  verdict.digest = fmt::format("{:016x}", found.keys);
  verdict.reason = words_for(verdict, found, input.n);
  return verdict;
}

}  // namespace sortlab
