// Constants of the networks within a vector, in static memory: a table local to a function may be rebuilt on the stack
// in every iteration of its caller's loop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sortlab::aa {

template <class Index, std::size_t lanes, class F>
constexpr std::array<Index, lanes> table_of(F f) {
  std::array<Index, lanes> table{};
  for (std::size_t i = 0; i < lanes; ++i) table[i] = static_cast<Index>(f(i));
  return table;
}

/// Lane i is lane i ^ partner.
template <class Index, std::size_t lanes, std::size_t partner>
inline constexpr auto kXorLanes = table_of<Index, lanes>([](std::size_t i) { return i ^ partner; });

/// From its element q on: lane i is lane i + q, or the last. For q to `lanes`.
template <class Index, std::size_t lanes>
inline constexpr auto kFromAbove = table_of<Index, 2 * lanes>([](std::size_t i) { return i < lanes ? i : lanes - 1; });
/// From its element lanes - q on: lane i is lane i - q, or the first. For q to `lanes`.
template <class Index, std::size_t lanes>
inline constexpr auto kFromBelow = table_of<Index, 2 * lanes>([](std::size_t i) { return i < lanes ? 0 : i - lanes; });

/// -1 in lanes with bit `upper`, in the others 0; the other way round in lanes with bit `descending`.
template <class Index, std::size_t lanes, std::size_t upper, std::size_t descending>
inline constexpr auto kTakesLarger = table_of<Index, lanes>([](std::size_t i) {
  return ((i & upper) != 0) != ((i & descending) != 0) ? -1 : 0;
});

}  // namespace sortlab::aa
