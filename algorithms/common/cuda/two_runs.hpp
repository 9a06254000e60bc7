// Two sorted runs of words on a device, for probes that merge a piece of them repeatedly.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "core/cuda/device_memory.hpp"

namespace sortlab::calibration {

/// Two consecutive runs of `length` words each with the values 0 … 2 length - 1: dealt to the runs at random, or in
/// order, so that the second run follows the first.
template <class Word>
class TwoRuns {
 public:
  TwoRuns(std::uint32_t length, bool in_order) : length_(length), memory_(2 * length * sizeof(Word)) {
    std::vector<bool> is_of_first(2 * length);
    std::fill_n(is_of_first.begin(), length, true);
    std::mt19937 random{length};
    if (!in_order) {
      for (std::uint32_t i = 2 * length - 1; i > 0; --i)
        is_of_first.swap(is_of_first[i], is_of_first[random() % (i + 1)]);
    }
    std::vector<Word> words(2 * length);
    for (std::uint32_t i = 0, of_first = 0; i < 2 * length; ++i) {
      firsts_.push_back(of_first);
      words[is_of_first[i] ? of_first : length + i - of_first] = i;
      of_first += is_of_first[i] ? 1 : 0;
    }
    firsts_.push_back(length);
    check(cudaMemcpy(memory_.data(), words.data(), memory_.size(), cudaMemcpyHostToDevice));
  }

  std::uint32_t length() const { return length_; }
  const Word* words() const { return memory_.data<Word>(); }
  /// For each i, the number of the i smallest words that are in the first run.
  const std::vector<std::uint32_t>& firsts() const { return firsts_; }

 private:
  std::uint32_t length_;
  DeviceMemory memory_;
  std::vector<std::uint32_t> firsts_;
};

/// A copy on the device.
template <class T>
DeviceMemory on_device(const std::vector<T>& values) {
  DeviceMemory memory{values.size() * sizeof(T)};
  check(cudaMemcpy(memory.data(), values.data(), memory.size(), cudaMemcpyHostToDevice));
  return memory;
}

}  // namespace sortlab::calibration
