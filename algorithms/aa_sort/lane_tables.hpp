// Constants of the networks within a vector, in static memory: a table local to a function may be rebuilt on the stack
// in every iteration of its caller's loop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sortlab::aa {

template <class Index, std::size_t lanes, class F>
constexpr std::array<Index, lanes> make_table(F f) {
  std::array<Index, lanes> table{};
  for (std::size_t i = 0; i < lanes; ++i) table[i] = static_cast<Index>(f(i));
  return table;
}

/// Lane indices i ^ partner.
template <class Index, std::size_t lanes, std::size_t partner>
inline constexpr auto kXorLanes = make_table<Index, lanes>([](std::size_t i) { return i ^ partner; });

/// Lane indices of a shift down by q, read from element q on: lane i takes lane i + q, or the last. q is at most
/// `lanes`.
template <class Index, std::size_t lanes>
inline constexpr auto kFromAbove = make_table<Index, 2 * lanes>([](std::size_t i) {
  return i < lanes ? i : lanes - 1;
});
/// Lane indices of a shift up by q, read from element lanes - q on: lane i takes lane i - q, or the first. q is at most
/// `lanes`.
template <class Index, std::size_t lanes>
inline constexpr auto kFromBelow = make_table<Index, 2 * lanes>([](std::size_t i) {
  return i < lanes ? 0 : i - lanes;
});

/// Masks of the lanes that keep the maximum: -1 in lanes with bit `upper`, else 0; inverted in lanes with bit
/// `descending`.
template <class Index, std::size_t lanes, std::size_t upper, std::size_t descending>
inline constexpr auto kTakesLarger = make_table<Index, lanes>([](std::size_t i) {
  return ((i & upper) != 0) != ((i & descending) != 0) ? -1 : 0;
});

}  // namespace sortlab::aa
