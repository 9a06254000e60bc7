#include "harness/measure/counted_call.hpp"

// These functions must neither be inlined nor be optimised away as empty.
extern "C" {
[[gnu::noinline]] void sortlab_phase_reading() {
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void sortlab_counted_call(sortlab::Runnable* runnable, const sortlab::Buffers* buffers,
                                            sortlab::PhaseTimer* phases, sortlab::Buffers* output) {
  *output = runnable->run(*buffers, *phases);
  asm volatile("" ::: "memory");
}
}

namespace sortlab {

void ReadingClock::begin() {
  if (counters_ != nullptr) counters_->start();
}

void ReadingClock::end() {
  if (counters_ != nullptr) between_.push_back(counters_->stop());
}

std::int64_t ReadingClock::read(int /*lane*/) {
  if (counters_ != nullptr) between_.push_back(counters_->stop());
  sortlab_phase_reading();
  if (counters_ != nullptr) counters_->start();
  return ++readings_;
}

Buffers counted_call(Runnable& runnable, const Buffers& buffers, PhaseTimer& phases, ReadingClock& clock) {
  Buffers output;
  clock.begin();
  sortlab_counted_call(&runnable, &buffers, &phases, &output);
  clock.end();
  return output;
}

}  // namespace sortlab
