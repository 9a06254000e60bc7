// A kernel by what its threads execute, as static analysis of its compiled code tells (sass.py): for models of kind
// hardware whose operations no tool counted.
#pragma once

#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Of an element.
struct ExecutedOperations {
  double instructions = 0;  ///< of its thread
  double alu = 0;           ///< of them those of the integer and logic pipe
  double wavefronts = 0;    ///< of a warp with an element a lane
  double votes = 0;         ///< of a warp with an element a lane: whether all lanes agree
  double multiplied = 0;    ///< of the instructions those of the multiplying half of the arithmetic pipe
  double slow = 0;          ///< of them those of a quarter of the rate, as counting bits
};

/// How a grid occupies multiprocessors.
struct GridShape {
  int threads = 0;          ///< of a block
  int registers = 0;        ///< of a thread
  double shared_bytes = 0;  ///< of a block, with what the system takes
  bool persistent = false;  ///< resident blocks take tile after tile
  bool drifts = false;      ///< KernelWork's
  bool apart = false;       ///< KernelWork's
  int round_trips = 1;      ///< KernelWork's
  double chained = 0;       ///< KernelWork's
};

/// Seconds of a grid, its launch included.
double compiled_kernel_seconds(const DeviceCosts& costs, double tiles, double elements,
                               const ExecutedOperations& executed, const GridShape& shape, const Traffic& traffic);

}  // namespace sortlab
