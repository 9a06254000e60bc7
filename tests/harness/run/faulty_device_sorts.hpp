// Device sorts that cheat or do harm on purpose, each in one way.
#pragma once

#include "tests/harness/run/planted_device_sorts.hpp"

namespace sortlab {

enum class DeviceFault {
  old_output,     ///< from the third call on, copies what it returned before
  own_stream,     ///< works on a stream that the caller's never waits for
  legacy_stream,  ///< works on the default stream
  lost_launches,  ///< from the third call on, its launches fail and it reads and drops the errors
  wrong_warm_up,  ///< does nothing in the first call
  one_past,       ///< writes one key past its array
  one_before,     ///< writes one key before its array
  unread_error,   ///< sorts, and leaves a failed launch unread
  goes_on,        ///< sorts, and keeps the device busy for some milliseconds longer
  allocates,      ///< takes device memory from CUDA's pool inside, without declaring it
  waits,          ///< waits for the device without declaring it
  leaks           ///< takes most of the device's memory and never frees it
};

inline constexpr std::size_t kAllocatedInside = std::size_t{1} << 20;

/// A library's radix sort with this fault.
std::unique_ptr<Sorter> make_faulty(DeviceFault fault, const Problem& problem, const Parameters& parameters,
                                    const Resources& resources);

template <DeviceFault fault>
std::unique_ptr<Sorter> make_faulty_library_sort(const Problem& problem, const Parameters& parameters,
                                                 const Resources& resources) {
  return make_faulty(fault, problem, parameters, resources);
}

}  // namespace sortlab
