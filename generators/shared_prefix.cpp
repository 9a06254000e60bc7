// Strings with long common prefixes, which fixed-length key prefixes cannot distinguish.
#include "generators/philox.hpp"
#include "generators/record_distribution.hpp"

namespace sortlab {
namespace {

struct SharedPrefixKeys final : KeySource {
  explicit SharedPrefixKeys(const Input& input)
      : seed(input.seed),
        prefix(static_cast<std::uint32_t>(input.parameters.integer("prefix"))),
        groups(static_cast<std::uint64_t>(input.parameters.integer("groups"))),
        largest(static_cast<std::uint64_t>(input.parameters.integer("max_length"))),
        alphabet(chosen_alphabet(input.parameters)) {}

  std::uint32_t key(std::uint64_t i, std::uint8_t* to) const override {
    const auto choices = philox(seed, i, stream_number(RecordStream::choices));
    const std::uint32_t rest = between(choices[0], 0, largest);
    if (to != nullptr) {
      const std::uint64_t group = between(choices[1], 0, groups - 1);
      fill_bytes(seed, stream_number(RecordStream::prefix, group), alphabet, {to, prefix});
      fill_bytes(seed, stream_number(RecordStream::key, i), alphabet, {to + prefix, rest});
    }
    return prefix + rest;
  }

  std::uint64_t seed;
  std::uint32_t prefix;
  std::uint64_t groups, largest;
  Alphabet alphabet;
};

class SharedPrefix final : public RecordDistribution {
 public:
  SharedPrefix()
      : RecordDistribution({.name = "shared_prefix",
                            .title = "Strings with few long prefixes and random suffixes; all equal with max_length=0",
                            .source = "ties of fixed-length prefixes",
                            .parameters = {{.name = "prefix",
                                            .meaning = "bytes of a prefix",
                                            .standard = std::int64_t{20},
                                            .range = {0, 65536},
                                            .always_shown = true},
                                           {.name = "groups",
                                            .meaning = "number of prefixes, drawn uniformly",
                                            .standard = std::int64_t{1},
                                            .range = {1, 16777216}},
                                           {.name = "max_length",
                                            .meaning = "bytes after the prefix, uniformly from 0 to this",
                                            .standard = std::int64_t{16},
                                            .range = {0, 1048576}},
                                           alphabet_parameter()}}) {}

 protected:
  std::unique_ptr<KeySource> source(const Input& input) const override {
    return std::make_unique<SharedPrefixKeys>(input);
  }
};

const RegisterDistribution registered{std::make_unique<SharedPrefix>()};

}  // namespace
}  // namespace sortlab
