// Source and destination of a kernel's elements, as a parameter of the kernel. In a sort that is global memory. To time
// a kernel without its memory traffic, calibration generates elements in registers and stores none
// (algorithms/common/cuda/register_memory.cuh), with the same code and another parameter.
#pragma once

namespace sortlab {

struct GlobalMemory {
  template <class T>
  using Source = const T*;
  template <class T>
  using Target = T*;
};

}  // namespace sortlab
