#include "harness/machine/build_info.hpp"

#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <CLI/CLI.hpp>
#include <Eigen/Core>

#include <nlohmann/json.hpp>

#include "build_facts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

std::string dotted(int major, int minor, int patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

ordered_json libraries() {
  const unsigned hwloc = hwloc_get_api_version();
  ordered_json libraries{
      {"glibc", gnu_get_libc_version()},
      {"libstdc++", fmt::format("{}", _GLIBCXX_RELEASE)},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann_json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"CLI11", CLI11_VERSION},
      {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"benchmark", build_facts::benchmark_version},
      {"hwloc",
       dotted(static_cast<int>(hwloc >> 16), static_cast<int>(hwloc >> 8 & 0xff), static_cast<int>(hwloc & 0xff))},
  };
  if (cuda_built()) {
    libraries["CUDA"] = fmt::format("{} for {}", build_facts::cuda_version, build_facts::cuda_architectures);
    libraries["CUB"] = build_facts::cub_version;
  }
  return libraries;
}

ordered_json make_record() {
  const bool in_git = !std::string{build_facts::commit}.empty();
  return {
      {"version", build_facts::version},
      {"commit", in_git ? ordered_json(build_facts::commit) : ordered_json(nullptr)},
      {"dirty", in_git && !build_facts::archived ? ordered_json(build_facts::dirty) : ordered_json(nullptr)},
      {"compiler", build_facts::compiler},
      {"flags", build_facts::flags},
      {"build_type", build_facts::build_type},
      {"libraries", libraries()},
  };
}

}  // namespace

bool cuda_built() {
  return !std::string_view{build_facts::cub_version}.empty();
}

const std::string& version() {
  static const std::string text = build_facts::version;
  return text;
}

const ordered_json& build_record() {
  static const ordered_json record = make_record();
  return record;
}

}  // namespace sortlab
