#include <fmt/format.h>

#include "algorithms/satish_records/record_sorter.hpp"

namespace sortlab {
namespace {

using satish::RecordSorter;

class SatishRecords final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (problem.n <= satish::kMaxRecords) return std::nullopt;
    return std::string{"record ids have 32 bits: n must be at most 2^32"};
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    const satish::Settings settings{.digit_bits = satish::kPrefixDigitBits,
                                    .buffer_lines = satish::kPrefixBufferLines,
                                    .flush = kHasStreamingStores ? satish::Flush::nontemporal : satish::Flush::ordinary,
                                    .skip_constant_digits = true};
    const auto compare_up_to = static_cast<std::uint64_t>(parameters.integer("compare_up_to"));
    const int bytes = chosen("prefix_bytes", parameters.word("prefix_bytes"), satish::kPrefixBytes);
    if (bytes == 4) {
      return std::make_unique<RecordSorter<std::uint32_t>>(problem, compare_up_to, settings, resources);
    }
    if (bytes == 8) {
      return std::make_unique<RecordSorter<std::uint64_t>>(problem, compare_up_to, settings, resources);
    }
    return std::make_unique<RecordSorter<uint128>>(problem, compare_up_to, settings, resources);
  }

 private:
  Info info_{
      .name = "satish_records",
      .title = "Records sorted by fixed-length prefixes with record ids, then rearranged",
      .source = "Satish et al. 2010, section 4",
      .family = "radix",
      .origin = Origin::paper,
      .paper = "satish2010",
      .keys = {KeyType::string},
      .values = {ValueType::none},
      .parallel = true,
      .stable = true,
      .allocates_inside = true,
      .parameters = {{.name = "prefix_bytes",
                      .meaning = "bytes of a key that are sorted at once, with the record's id",
                      .standard = std::string{"4"},
                      .choices = choice_words(satish::kPrefixBytes)},
                     {.name = "compare_up_to",
                      .meaning = "records with the same prefix that are compared; more are sorted by the next one",
                      .standard = satish::kComparedUpTo,
                      .range = {1, satish::kMaxRecords}}},
      .roles = {{"records_by_prefixes", {}}},
      .phases = {"prefix", "sort", "ties", "rearrange"},
  };
};

const Register registered{std::make_unique<SatishRecords>()};

}  // namespace
}  // namespace sortlab
