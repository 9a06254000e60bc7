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
  return {.name = std::move(name),
          .title = "planted",
          .source = "",
          .family = "",
          .version = "",
          .keys = {kKeyTypes.begin(), kKeyTypes.end()},
          .values = {kValueTypes.begin(), kValueTypes.end()}};
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

class PlantedStrings final : public Algorithm {
 public:
  PlantedStrings() : info_(planted_info("planted_string_sort")) {
    info_.keys = {KeyType::string};
    info_.values = {ValueType::none};
    info_.phases = {"sort", "rearrange"};
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&, const Resources& here) const override {
    return std::make_unique<StringSorter<PlantedStringSort>>(problem, here, PlantedStringSort{});
  }

 private:
  Info info_;
};

/// Registers it with a digest for the life of the program.
struct PlantedAlgorithm {
  explicit PlantedAlgorithm(std::unique_ptr<Algorithm> algorithm)
      : digest(algorithm->info().name, "00000000000000aa"), registered(std::move(algorithm)) {}
  RegisterBuildDigest digest;
  Register registered;
};

/// A sort whose pairs lie together.
inline Info planted_host_info() {
  Info info = planted_info("planted_sort");
  info.layouts = {Layout::together};
  return info;
}

const PlantedAlgorithm planted_sort{std::make_unique<SimpleSort<PlantedSort>>(planted_host_info())};
const PlantedAlgorithm planted_string_sort{std::make_unique<PlantedStrings>()};
const PlantedAlgorithm planted_device_sort{
    std::make_unique<DeviceAlgorithm>(planted_info("planted_device_sort"), nullptr)};
const PlantedAlgorithm planted_other_device_sort{
    std::make_unique<DeviceAlgorithm>(planted_info("planted_other_device_sort"), nullptr)};

}  // namespace
}  // namespace sortlab
