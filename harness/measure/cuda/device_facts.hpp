// Facts about a CUDA device for records and profiles.
#pragma once

#include "harness/measure/testbed.hpp"

namespace sortlab {

DeviceFacts query_device_facts(int device);

}  // namespace sortlab
