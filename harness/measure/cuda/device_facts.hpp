// The facts of a CUDA device that records and profiles name.
#pragma once

#include "harness/measure/testbed.hpp"

namespace sortlab {

DeviceFacts facts_of(int device);

}  // namespace sortlab
