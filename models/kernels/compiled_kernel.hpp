// Cost of a kernel from the instructions that its threads execute, which static analysis of its compiled code finds
// (sass.py). Models of kind hardware use it where no tool counted the operations.
#pragma once

#include "models/kernels/device_kernel.hpp"

namespace sortlab {

/// Operations per element.
struct ExecutedOperations {
  double instructions = 0;  ///< issued by the element's thread
  double alu = 0;           ///< instructions of the integer and logic pipe
  double wavefronts = 0;    ///< shared-memory wavefronts per warp, at one element a lane
  double votes = 0;         ///< warp votes (all lanes equal?) per warp, at one element a lane
  double multiplied = 0;    ///< instructions of the pipe that multiplies, which has half the arithmetic rate
  double slow = 0;          ///< instructions at a quarter of the rate, such as popc
};

/// Occupancy of the multiprocessors by a grid.
struct GridShape {
  int threads = 0;          ///< threads of a block
  int registers = 0;        ///< registers of a thread
  double shared_bytes = 0;  ///< shared memory of a block, with the system's part
  bool persistent = false;  ///< as many blocks as fit at a time, which loop over tiles
  bool drifts = false;      ///< as in KernelWork
  bool apart = false;       ///< as in KernelWork
  int round_trips = 1;      ///< as in KernelWork
  double chained = 0;       ///< as in KernelWork
};

/// Seconds of a grid, its launch included. `costs` keeps its operations.
double compiled_kernel_seconds(const DeviceCosts& costs, double tiles, double elements,
                               const ExecutedOperations& executed, const GridShape& shape, const Traffic& traffic);

}  // namespace sortlab
