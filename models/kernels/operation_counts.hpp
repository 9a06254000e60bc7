// Operations of a sort's kernels per element, compiled for compute capability 9.0: counted once on a device by `sortlab
// count`, with uniform keys. Counts depend on the code and the input; no time enters.
#pragma once

#include <optional>
#include <string_view>

namespace sortlab {

/// The device that the operations were counted on. Resident blocks follow from the shared memory and registers of its
/// multiprocessors.
inline constexpr std::string_view kCountedCapability = "9.0";
inline constexpr double kCountedSharedBytes = 228 * 1024;

/// Operations per element, in instructions or wavefronts of a warp.
struct OperationCounts {
  std::string_view algorithm;
  std::string_view
      parameters;  ///< parameters of the sort that was counted: "digit_bits=4 items=48 split=fused warps=4"
  std::string_view phase;
  double key_bytes;
  double value_bytes;
  double instructions;  ///< all that are issued
  double alu;           ///< instructions of the integer and logic pipe
  double wavefronts;    ///< passes through the data pipe of the first-level cache and shared memory
  int resident;         ///< resident blocks per multiprocessor, from their threads, registers and shared memory
  int warps;            ///< warps of a block
};

/// Operations of a sort with the parameters in `variant`, which choose among its kernels ("split=fused", or several
/// separated by blanks); of a width that was not counted, estimated from those that were (element_widths.hpp). Nullopt
/// if they were not counted.
std::optional<OperationCounts> operation_counts(std::string_view algorithm, std::string_view variant,
                                                std::string_view phase, double key_bytes, double value_bytes);

/// Resident blocks per multiprocessor of the phase's kernel; for an element width that was not counted, those of the
/// nearest. 1 if nothing of the phase was counted.
int resident_blocks(std::string_view algorithm, std::string_view variant, std::string_view phase, double key_bytes,
                    double value_bytes);

}  // namespace sortlab
