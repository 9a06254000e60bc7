// Registers a family's device code.
#pragma once

#include <cuda_runtime.h>

#include <string_view>

#include "generators/distribution.hpp"

namespace sortlab {

/// Enqueues the generation of the keys of `input`, at least one, on `stream`. May wait for it.
using DeviceFill = void (*)(const Input& input, void* keys, cudaStream_t stream);

/// `const RegisterDeviceFill registered{"uniform", fill_uniform};` The name is the distribution's.
struct RegisterDeviceFill {
  RegisterDeviceFill(std::string_view name, DeviceFill fill);
};

}  // namespace sortlab
