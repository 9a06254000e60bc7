// Work of a GPU per key in a pass of the split radix sort, as Satish et al. 2010 count it in section 2.1.2: SAT-M1
// (step 1, the histogram) and SAT-M2 (step 3, sorting a tile and writing it out); and how cycles of a multiprocessor
// become seconds, T = cpe · n / (multiprocessors · f). The algorithm's counts are here, the machine's rates in its
// profile.
#pragma once

#include <cmath>
#include <string>

#include "models/cost.hpp"
#include "models/machine_profile.hpp"
#include "models/model.hpp"

namespace sortlab::satish2010 {

inline constexpr int kKeyBytes = 4;  ///< key size in section 2
inline constexpr int kWarp = 32;     ///< "Each GPU instruction works on 32 data elements" (2.1)

/// The block of section 2.1.1: each thread scans 13 elements, 416 a warp, and 4 warps share a tile of 1664.
inline constexpr int kItems = 13;
inline constexpr int kWarps = 4;
inline constexpr int kWarpElements = kItems * kWarp;
inline constexpr int kTile = kWarps * kWarpElements;

/// Work per key.
struct Step {
  double operations = 0;  ///< per lane; an instruction of a warp does 32 at once
  double bytes = 0;       ///< read from and written to device memory

  double instructions() const { return operations / kWarp; }
};

/// SAT-M1. Reading a key and finding its digit takes 4 operations, counting it 2. Each of the block's threads then has
/// a histogram of its own to add up, 128 x 2^D counters a tile: the paper's 32 x 64. It divides them by the 416 keys of
/// a single warp, and so gets 10.9 operations, which it rounds to 12 and which are 0.34 instructions, not "less than
/// 0.3"; by the tile of four warps they are 7.2 and 0.23 (inconsistency X7). Keys are read, and a counter of 4 bytes
/// for each digit of a tile is written: 4.04 bytes (the paper: 4.25, for 64 bytes each 416 keys, which are 4.15).
Step histogram(int digit_bits, int key_bytes);

/// SAT-M2. A 1-bit split takes 14.5 operations; loading, storing and setting up take 4, 4 and 6 more: 72 for four
/// splits. The paper's sums are 59 for the splits (they are 58) and 70 in all (inconsistency X7b).
Step sort_and_scatter(int digit_bits, int key_bytes);

/// Operations of a 1-bit split: 4 to read a key and its bit, 1.5 for the thread's scan, 1 for the warp's, 1 to add
/// that back, 6 for the rank, 1 to move the key.
inline constexpr double kSplitOperations = 4 + 1.5 + 1 + 1 + 6 + 1;

/// Cycles of one multiprocessor per key: of issuing the instructions alone, and of moving the bytes alone. The paper
/// expects the longer of the two.
double issue_cycles(const Step&, const MachineProfile&);
double memory_cycles(const Step&, const MachineProfile&);

inline constexpr double kTakeTurns = 1;  ///< overlap exponents (cost.hpp)
inline constexpr double kOverlap = HUGE_VAL;

/// The demand of all elements on all multiprocessors, given that of one element on one.
class Elements {
 public:
  Elements(const Workload& workload, const MachineProfile& machine);
  /// `amount` of work and `cycles`, both of one element.
  Demand ask(std::string resource, std::string work, double amount, double cycles) const;

 private:
  double n_;
  double seconds_a_cycle_;  ///< if every element takes one
};

}  // namespace sortlab::satish2010
