// Why a cell has no time, for programs: `reason_code` of its record. The reason beside it says it in words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/names.hpp"

namespace sortlab {

enum class ReasonCode : std::uint8_t {
  // Faults of a sort (harness/measure/faults.hpp).
  wrong_output,
  outside_arrays,
  original_overwritten,
  still_working,
  too_many_threads,
  idle_threads,
  impossible_time,
  own_time,
  phases,
  caller_changed,
  device_still_working,
  cuda_error,
  // Other ends of a sort, or of its worker.
  known_limit,
  exception,
  out_of_memory,
  process_lost,   ///< the worker could not go on: its device failed, say
  no_input,       ///< the input could not be made
  no_sample,      ///< its turn ended without a sample
  sort_too_long,  ///< one sort took longer than limit_s, a lower bound of its time
  step_too_long,  ///< another step did: making an input, preparing, verifying
  crash,
  stood_still,         ///< the worker stood still for limit_s, stopped by a signal or, again and again, by several
  garbled_connection,  ///< something wrote into the worker's connection to its supervisor
  // Cells that are not tried on this machine.
  too_little_memory,
  declined,  ///< the sort or the distribution does not take the case
  no_cuda,   ///< this build is without CUDA
  no_gpu,
  too_few_processors,
};
template <>
inline constexpr std::array<std::string_view, 28> kNames<ReasonCode>{"wrong_output",
                                                                     "outside_arrays",
                                                                     "original_overwritten",
                                                                     "still_working",
                                                                     "too_many_threads",
                                                                     "idle_threads",
                                                                     "impossible_time",
                                                                     "own_time",
                                                                     "phases",
                                                                     "caller_changed",
                                                                     "device_still_working",
                                                                     "cuda_error",
                                                                     "known_limit",
                                                                     "exception",
                                                                     "out_of_memory",
                                                                     "process_lost",
                                                                     "no_input",
                                                                     "no_sample",
                                                                     "sort_too_long",
                                                                     "step_too_long",
                                                                     "crash",
                                                                     "stood_still",
                                                                     "garbled_connection",
                                                                     "too_little_memory",
                                                                     "declined",
                                                                     "no_cuda",
                                                                     "no_gpu",
                                                                     "too_few_processors"};

/// A reason for programs and for readers.
struct Reason {
  ReasonCode code{};
  std::string text;
};

}  // namespace sortlab
