#include "harness/machine/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "core/raw_clock.hpp"

namespace sortlab {
namespace {

constexpr int kChain = 1 << 17;
constexpr int kIndependent = 1 << 19;

/// One register addition. The empty statement keeps the compiler from combining several additions.
__attribute__((always_inline)) inline void add(std::uint64_t& sum, std::uint64_t step) {
  sum += step;
  asm volatile("" : "+r"(sum) : "r"(step));
}

/// A step that is unknown to the compiler.
std::uint64_t unknown_step() {
  std::uint64_t step = 1;
  asm volatile("" : "+r"(step));
  return step;
}

}  // namespace

double chained_additions() {
  const std::uint64_t step = unknown_step();
  std::uint64_t a = 0;
  for (int i = 0; i < kChain / 16; ++i) {
    add(a, step), add(a, step), add(a, step), add(a, step), add(a, step), add(a, step), add(a, step), add(a, step);
    add(a, step), add(a, step), add(a, step), add(a, step), add(a, step), add(a, step), add(a, step), add(a, step);
  }
  return kChain;
}

double independent_additions() {
  const std::uint64_t step = unknown_step();
  std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  for (int i = 0; i < kIndependent / 32; ++i) {
    add(a, step), add(b, step), add(c, step), add(d, step), add(e, step), add(f, step), add(g, step), add(h, step);
    add(a, step), add(b, step), add(c, step), add(d, step), add(e, step), add(f, step), add(g, step), add(h, step);
    add(a, step), add(b, step), add(c, step), add(d, step), add(e, step), add(f, step), add(g, step), add(h, step);
    add(a, step), add(b, step), add(c, step), add(d, step), add(e, step), add(f, step), add(g, step), add(h, step);
  }
  return kIndependent;
}

double measured_clock_hz() {
  double fastest = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    const auto begin = RawClock::now();
    const double additions = chained_additions();
    const std::chrono::duration<double> taken = RawClock::now() - begin;
    fastest = std::max(fastest, additions / taken.count());
  }
  return fastest;
}

}  // namespace sortlab
