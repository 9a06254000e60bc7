// Sorts that exist only in tests, for properties of any sort: of keys of fixed width on the host (planted_sort) and on
// a device (planted_device_sort and another, which cannot run, as in a build without CUDA), and of strings.
#pragma once

#include <algorithm>

#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/common/adapters/simple_sort.hpp"
#include "algorithms/common/adapters/string_sort.hpp"
#include "core/build_digest.hpp"

namespace sortlab {
namespace {

/// A sequential sort without parameters, for all keys of fixed width and all values.
inline Info planted_info(std::string name) {
  return {.name = std::move(name), .title = "planted", .source = "", .family = ""};
}

struct PlantedSort {
  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    std::sort(elements.begin(), elements.end(), less);
  }
};

struct PlantedStringSort {
  void operator()(std::span<Record> records, const std::uint8_t* bytes) const {
    std::sort(records.begin(), records.end(), KeyBefore{bytes});
  }
};

/// Registers it with a digest for the life of the program.
struct PlantedAlgorithm {
  explicit PlantedAlgorithm(std::unique_ptr<Algorithm> algorithm)
      : digest(algorithm->info().name, "00000000000000aa"), registered(std::move(algorithm)) {}
  RegisterBuildDigest digest;
  Register registered;
};

const PlantedAlgorithm planted_sort{std::make_unique<SimpleSort<PlantedSort>>(planted_info("planted_sort"))};
const PlantedAlgorithm planted_string_sort{
    std::make_unique<StringSort<PlantedStringSort>>(planted_info("planted_string_sort"))};
const PlantedAlgorithm planted_device_sort{
    std::make_unique<DeviceAlgorithm>(planted_info("planted_device_sort"), nullptr)};
const PlantedAlgorithm planted_other_device_sort{
    std::make_unique<DeviceAlgorithm>(planted_info("planted_other_device_sort"), nullptr)};

}  // namespace
}  // namespace sortlab
