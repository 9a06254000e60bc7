#include "harness/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sortlab {
namespace {

constexpr int kChain = 1 << 17;

/// Adds `step` kChain times, each addition waiting for the one before.
std::uint64_t add_chain(std::uint64_t sum, std::uint64_t step) {
  // The empty statements keep the compiler from folding the chain, and from knowing the step: one register addition
  // each.
  asm volatile("" : "+r"(step));
  const auto add = [&]() __attribute__((always_inline)) {
    sum += step;
    asm volatile("" : "+r"(sum) : "r"(step));
  };
  for (int i = 0; i < kChain / 16; ++i) {
    add(), add(), add(), add(), add(), add(), add(), add();
    add(), add(), add(), add(), add(), add(), add(), add();
  }
  return sum;
}

}  // namespace

double chained_additions() {
  add_chain(1, 1);
  return kChain;
}

double measured_clock_hz() {
  using Clock = std::chrono::steady_clock;
  double fastest = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    const auto begin = Clock::now();
    const double additions = chained_additions();
    const std::chrono::duration<double> taken = Clock::now() - begin;
    fastest = std::max(fastest, additions / taken.count());
  }
  return fastest;
}

}  // namespace sortlab
