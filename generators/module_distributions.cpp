// The registry of distributions inside a module, in libsortlab_module.a. It takes the place of distributions.cpp.
#include "generators/distribution.hpp"

namespace sortlab {
namespace {

// Function-local, so that it exists before the first registration.
std::vector<std::unique_ptr<Distribution>>& distributions() {
  static std::vector<std::unique_ptr<Distribution>> registered;
  return registered;
}

}  // namespace

RegisterDistribution::RegisterDistribution(std::unique_ptr<Distribution> distribution) {
  distributions().push_back(std::move(distribution));
}

const std::vector<std::unique_ptr<Distribution>>& distributions_of_module() {
  return distributions();
}

}  // namespace sortlab
