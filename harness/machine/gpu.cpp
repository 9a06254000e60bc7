#include "harness/machine/gpu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "harness/machine/bounded_child.hpp"

namespace sortlab {
namespace {

/// The functions of the CUDA Driver API (cuda.h) that we call. All return 0 for success.
struct Driver {
  int (*init)(unsigned flags);
  int (*version)(int* version);
  int (*count)(int* count);
  int (*name)(char* name, int length, int device);
};

std::optional<Driver> load(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return std::nullopt;
  const auto bind = [handle](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
    return function != nullptr;
  };
  Driver driver{};
  const bool complete = bind(driver.init, "cuInit") && bind(driver.version, "cuDriverGetVersion") &&
                        bind(driver.count, "cuDeviceGetCount") && bind(driver.name, "cuDeviceGetName");
  return complete ? std::optional{driver} : std::nullopt;
}

/// Runs in the child. Returns CUDA's version and then a line for each GPU, or "-" and the reason there is none.
std::string ask_driver(const std::string& library) {
  const auto driver = load(library);
  if (!driver) return fmt::format("-no driver ({})", library);
  if (const int error = driver->init(0); error != 0)
    return fmt::format("-the driver does not start (CUDA error {})", error);
  int version = 0;
  int devices = 0;
  if (driver->version(&version) != 0 || driver->count(&devices) != 0 || devices < 1) return "-the driver shows no GPU";
  std::string answer = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  for (int device = 0; device < devices; ++device) {
    char name[256] = "";
    if (driver->name(name, sizeof name, device) == 0) answer += fmt::format("\n{}", name);
  }
  return answer;
}

}  // namespace

const Gpus& gpus_here() {
  static const Gpus gpus = find_gpus();
  return gpus;
}

Gpus find_gpus(const std::string& library, std::chrono::milliseconds limit) {
  Gpus gpus;
  try {
    BoundedChild child{[&](std::string_view) { return ask_driver(library); }};
    const std::string answer = child.ask("gpus", limit);
    if (answer.starts_with('-')) {
      gpus.reason = answer.substr(1);
      return gpus;
    }
    std::istringstream lines{answer};
    std::getline(lines, gpus.cuda);
    for (std::string name; std::getline(lines, name);) gpus.names.push_back(name);
  } catch (const ChildFailed& why) {
    gpus.reason = fmt::format("the driver fails: {}", why.what());
  }
  return gpus;
}

}  // namespace sortlab
