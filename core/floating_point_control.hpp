// The calling thread's settings of floating point: rounding, flushing of subnormal numbers, trapped exceptions.
#pragma once

#include <cfenv>
#include <cstdint>

namespace sortlab {

/// Returns the control register without the flags of exceptions that occurred, which are no setting. Where the
/// processor's register is not known: the direction of rounding alone.
inline std::uint64_t floating_point_control() {
#if defined(__SSE__)
  constexpr std::uint64_t flags = 0x3F;
  return __builtin_ia32_stmxcsr() & ~flags;
#elif defined(__aarch64__)
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return static_cast<std::uint64_t>(std::fegetround());
#endif
}

}  // namespace sortlab
