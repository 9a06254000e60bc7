// Strings of random bytes, with lengths between two bounds; and the same with a single long string.
#include <fmt/format.h>

#include "generators/philox.hpp"
#include "generators/record_distribution.hpp"

namespace sortlab {
namespace {

struct RandomKeys : KeySource {
  RandomKeys(const Input& input, std::int64_t smallest_length, std::int64_t largest_length)
      : seed(input.seed),
        smallest(static_cast<std::uint64_t>(smallest_length)),
        largest(static_cast<std::uint64_t>(largest_length)),
        alphabet(chosen_alphabet(input.parameters)) {}

  std::uint32_t key(std::uint64_t i, std::uint8_t* to) const override {
    const std::uint32_t bytes = between(philox(seed, i, stream_number(RecordStream::choices))[0], smallest, largest);
    if (to != nullptr) fill_bytes(seed, stream_number(RecordStream::key, i), alphabet, {to, bytes});
    return bytes;
  }

  std::uint64_t seed, smallest, largest;
  Alphabet alphabet;
};

class RandomStrings final : public RecordDistribution {
 public:
  RandomStrings()
      : RecordDistribution({.name = "random_strings",
                            .title = "Strings of random bytes, of lengths between two bounds",
                            .source = "Satish et al. 2010, section 4: keys of variable length, uniform",
                            .parameters = {{.name = "min_length",
                                            .meaning = "bytes of the shortest keys",
                                            .standard = std::int64_t{0},
                                            .range = {0, 1048576}},
                                           {.name = "max_length",
                                            .meaning = "bytes of the longest keys",
                                            .standard = std::int64_t{32},
                                            .range = {0, 1048576},
                                            .always_shown = true},
                                           alphabet_parameter()}}) {}

  std::optional<std::string> declines(const Input& input) const override {
    const std::int64_t least = input.parameters.integer("min_length");
    const std::int64_t most = input.parameters.integer("max_length");
    if (least <= most) return std::nullopt;
    return fmt::format("min_length={} is above max_length={}", least, most);
  }

 protected:
  std::unique_ptr<KeySource> source(const Input& input) const override {
    return std::make_unique<RandomKeys>(input, input.parameters.integer("min_length"),
                                        input.parameters.integer("max_length"));
  }
};

/// Record n / 2 has a key of `long_length` bytes.
struct OneLongKey final : RandomKeys {
  explicit OneLongKey(const Input& input)
      : RandomKeys(input, 0, input.parameters.integer("max_length")),
        place(input.n / 2),
        length(static_cast<std::uint32_t>(input.parameters.integer("long_length"))) {}

  std::uint32_t key(std::uint64_t i, std::uint8_t* to) const override {
    if (i != place) return RandomKeys::key(i, to);
    if (to != nullptr) fill_bytes(seed, stream_number(RecordStream::key, i), alphabet, {to, length});
    return length;
  }

  std::uint64_t place;
  std::uint32_t length;
};

class OneLong final : public RecordDistribution {
 public:
  OneLong()
      : RecordDistribution({.name = "one_long_string",
                            .title = "Strings of random bytes, with a long one in the middle",
                            .source = "work that cannot be shared by records alone",
                            .parameters = {{.name = "long_length",
                                            .meaning = "bytes of the long key",
                                            .standard = std::int64_t{1048576},
                                            .range = {0, 268435456},
                                            .always_shown = true},
                                           {.name = "max_length",
                                            .meaning = "bytes of the longest of the others, which begin at 0",
                                            .standard = std::int64_t{16},
                                            .range = {0, 1048576}},
                                           alphabet_parameter()}}) {}

 protected:
  std::unique_ptr<KeySource> source(const Input& input) const override { return std::make_unique<OneLongKey>(input); }
};

const RegisterDistribution random_strings{std::make_unique<RandomStrings>()};
const RegisterDistribution one_long{std::make_unique<OneLong>()};

}  // namespace
}  // namespace sortlab
