// The registry inside a module. It takes the place of the program's registry.cpp in libsortlab_module.a.
#include "algorithms/module.hpp"

namespace sortlab {
namespace {

// Function-local, so that it exists before the first registration.
std::vector<std::unique_ptr<Algorithm>>& algorithms() {
  static std::vector<std::unique_ptr<Algorithm>> registered;
  return registered;
}

std::vector<std::unique_ptr<Component>>& components() {
  static std::vector<std::unique_ptr<Component>> registered;
  return registered;
}

}  // namespace

Register::Register(std::unique_ptr<Algorithm> algorithm) {
  algorithms().push_back(std::move(algorithm));
}

RegisterComponent::RegisterComponent(Component component) {
  components().push_back(std::make_unique<Component>(std::move(component)));
}

const std::vector<std::unique_ptr<Algorithm>>& algorithms_of_module() {
  return algorithms();
}

const std::vector<std::unique_ptr<Component>>& components_of_module() {
  return components();
}

}  // namespace sortlab
