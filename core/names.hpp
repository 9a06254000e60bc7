// Names of an enumeration's values: the one list from which they are printed, read and offered to the user.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// The names of E's values, which count up from 0, in their order. Specialised right after each enumeration that
/// records, configs or the command line name.
template <class E>
inline constexpr std::array<std::string_view, 0> kNames{};

template <class E>
concept Named = !kNames<E>.empty();

template <Named E>
constexpr std::string_view to_name(E value) {
  return kNames<E>[static_cast<std::size_t>(value)];
}

/// All values of E, in their order.
template <Named E>
constexpr auto all_values() {
  std::array<E, kNames<E>.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<E>(i);
  return values;
}

/// The value that has this name, or nullopt.
template <Named E>
constexpr std::optional<E> value_named(std::string_view name) {
  for (const E value : all_values<E>()) {
    if (to_name(value) == name) return value;
  }
  return std::nullopt;
}

/// The names of E's values, for messages and lists of choices.
template <Named E>
std::vector<std::string> all_names() {
  return {kNames<E>.begin(), kNames<E>.end()};
}

}  // namespace sortlab
