// Facts about a CUDA device for records and profiles.
#pragma once

#include "harness/measure/testbed.hpp"

namespace sortlab {

DeviceFacts query_device_facts(int device);

/// The place and the unique name of a device, by which other programs know it whatever CUDA_VISIBLE_DEVICES says.
DeviceIdentity query_device_identity(int device);

/// The ways between each two different devices among `devices`.
std::vector<DeviceLink> query_links(const std::vector<int>& devices);

}  // namespace sortlab
