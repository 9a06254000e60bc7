// Makes a device the current one for the life of an object.
#pragma once

#include "core/cuda/check.hpp"

namespace sortlab {

class OnDevice {
 public:
  explicit OnDevice(int device) {
    check(cudaGetDevice(&before_));
    check(cudaSetDevice(device));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

}  // namespace sortlab
