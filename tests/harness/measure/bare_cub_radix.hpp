// CUB's radix sort without Sortlab, to show the overhead of Sortlab's measuring.
#pragma once

#include <cstdint>
#include <memory>

class BareCubRadix {
 public:
  /// Makes n uniform u32 keys on the current device. Ends the program if CUDA fails.
  explicit BareCubRadix(std::uint64_t n);
  ~BareCubRadix();
  /// Seconds of one sort by events, with a flushed L2 cache.
  double sort();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
