// The sortedness check. Has no dependencies, since the model reads it (plan.hpp).
#pragma once

#include <cstddef>

namespace sortlab::msd {

/// The length of the ordered prefix of n elements: 1 to n.
struct InOrder {
  std::size_t (*ascending)(const void* elements, std::size_t n) = nullptr;
  std::size_t (*descending)(const void* elements, std::size_t n) = nullptr;
};

}  // namespace sortlab::msd
