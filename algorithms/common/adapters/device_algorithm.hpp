// A sort on a CUDA device. Its Info and declines() are in a .cpp file, so that `list`, configs and records know it in
// every build. Its kernels are in .cu files, which a build without CUDA leaves out:
//
//   [[gnu::weak]] std::unique_ptr<Sorter> make_my_sort(const Problem&, const Parameters&, const Resources&);
//   const Register registered{std::make_unique<DeviceAlgorithm>(Info{…}, &make_my_sort)};
//
// A weak function that no .cu file defines is null: it is passed as a pointer, since no reference may be null.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

/// The reason a sort that treats -0 and +0 as equal keys, like CUB's radix sort, declines `problem`, or nullopt.
inline std::optional<std::string> declines_unequal_zeros(const Problem& problem) {
  if (!is_float(problem.key) || !problem.needs_total_order) return std::nullopt;
  return "treats -0 and +0 as equal keys, which the total order does not";
}

enum class Zeros : std::uint8_t { ordered, equal };  ///< -0 sorts before +0, or both are the same key

class DeviceAlgorithm : public Algorithm {
 public:
  /// Makes a sorter on the current device.
  using MakeSorter = std::unique_ptr<Sorter> (*)(const Problem&, const Parameters&, const Resources&);

  DeviceAlgorithm(Info info, MakeSorter make, Zeros zeros = Zeros::ordered)
      : info_(std::move(info)), make_(make), zeros_(zeros) {
    info_.runs_on = Processor::device;
  }

  const Info& info() const final { return info_; }

  std::optional<std::string> unavailable() const override {
    if (make_ != nullptr) return std::nullopt;
    return "this build is without CUDA";
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    return zeros_ == Zeros::ordered ? std::nullopt : declines_unequal_zeros(problem);
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    return make_(problem, parameters, resources);
  }

 private:
  Info info_;
  MakeSorter make_;
  Zeros zeros_;
};

}  // namespace sortlab
