// Declarations shared by the sort's probe files.
#pragma once

#include <cstdint>

#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {

/// Keys of a probe: random; random with mostly zero bits, so that ranges are filled unevenly; all equal; random in two
/// ranges, one much denser than the other; few distinct keys, evenly spread; sorted.
enum class MsdKeys : std::uint8_t { even, uneven, equal, split, several, in_order };
inline constexpr int kSeveral = 24;

/// Digits of a probe: share of the most frequent one. Values above 1 stand for sorted keys, for kSeveral distinct keys,
/// and for half as many.
inline constexpr double kUniform = 1.0 / 256;
inline constexpr double kInOrder = 2;
inline constexpr double kOfSeveral = 3;
inline constexpr double kOfHalfOfThem = 4;

/// Adds all probes of a key and value type; each type is compiled in a file of its own.
template <class Word, class V>
void add_msd_probes(Rounds& rounds, DeviceBench& bench);

}  // namespace sortlab::calibration
