#include "generators/key_space.hpp"

#include <fmt/format.h>

namespace sortlab {

Parameter range_bits_parameter() {
  return {.name = "range_bits",
          .meaning = "keys are drawn below 2^range_bits; auto: all bits of the key",
          .standard = "auto",
          .range = {1, 128},
          .automatic = {32, 64, 128}};
}

Parameter floats_parameter() {
  return {.name = "floats",
          .meaning = "float keys: values evenly in [-1, 1), or raw bit patterns, NaN included",
          .standard = "values",
          .choices = {"values", "raw"}};
}

KeySpace key_space(const Input& input) {
  return {.range_bits = input.parameters.is_auto("range_bits")
                            ? key_width(input.key)
                            : static_cast<int>(input.parameters.integer("range_bits")),
          .raw_floats = input.parameters.word("floats") == "raw"};
}

std::optional<std::string> key_space_declines(const Input& input) {
  const int bits = key_space(input).range_bits;
  if (bits <= key_width(input.key)) return std::nullopt;
  return fmt::format("range_bits={} exceeds the {} bits of {}", bits, key_width(input.key), to_name(input.key));
}

std::optional<double> uniform_bit_probability(const Input& input) {
  const KeySpace space = key_space(input);
  const bool all_bits = space.range_bits == key_width(input.key);
  return all_bits && (!is_float(input.key) || space.raw_floats) ? std::optional{0.5} : std::nullopt;
}

Parameters resolve_key_space(const Input& input) {
  Parameters parameters = input.parameters;
  parameters.set("range_bits", std::int64_t{key_space(input).range_bits});
  return parameters;
}

}  // namespace sortlab
