// What the files of the sort's probes share.
#pragma once

#include <cstdint>

#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {

/// Keys of a probe: random; random with bits that are mostly 0, so that ranges of keys are filled unevenly; one key;
/// random in two ranges, one much fuller than the other; a few keys, evenly spread; keys in order.
enum class MsdKeys : std::uint8_t { even, uneven, equal, split, several, in_order };
inline constexpr int kSeveral = 24;

/// Digits of a probe: the share of the most frequent one; beyond 1 it stands for keys in order, for kSeveral keys, and
/// for half as many.
inline constexpr double kUniform = 1.0 / 256;
inline constexpr double kInOrder = 2;
inline constexpr double kOfSeveral = 3;
inline constexpr double kOfHalfOfThem = 4;

/// All of a key and value type; each is compiled in a file of its own.
template <class Word, class V>
void add_msd_probes(Rounds& rounds, DeviceBench& bench);

}  // namespace sortlab::calibration
