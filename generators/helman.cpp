#include "generators/helman.hpp"

#include <fmt/format.h>

namespace sortlab::helman {

Parameter processors_parameter() {
  return {.name = "p",
          .meaning = "number of processors",
          .standard = std::int64_t{240},  // the scalar processors of Leischner et al.'s GPU
          .range = {1, 1048576}};
}

Parameter range_bits_parameter(std::int64_t standard) {
  return {.name = "range_bits",
          .meaning = "32-bit keys are drawn below 2^range_bits: 31 in Helman et al., 32 elsewhere",
          .standard = standard,
          .range = {8, 32}};
}

Parameter wide_parameter() {
  return {.name = "wide",
          .meaning = "wider keys: the range scaled to the key's width, or low, as for 32-bit keys",
          .standard = "scaled",
          .choices = {"scaled", "low"}};
}

int range_bits(const Input& input) {
  const int bits = static_cast<int>(input.parameters.integer("range_bits"));
  return input.parameters.word("wide") == "low" ? bits : bits + key_width(input.key) - 32;
}

std::optional<std::string> too_few(const Input& input, uint128 needed, const char* formula) {
  if (input.n == 0 || input.n >= needed) return std::nullopt;
  return fmt::format("n={} is too small for p={}: at least {} = {} elements", input.n, processors(input), formula,
                     needed);
}

std::optional<std::string> too_narrow(const Input& input) {
  if (range_bits(input) >= 64 || processors(input) <= std::uint64_t{1} << range_bits(input)) return std::nullopt;
  return fmt::format("p={} exceeds the {} keys of range_bits={}", processors(input),
                     std::uint64_t{1} << range_bits(input), range_bits(input));
}

}  // namespace sortlab::helman
