#include "models/papers/satish2010_gpu.hpp"

#include <utility>

namespace sortlab::satish2010 {

Step histogram(int digit_bits, int key_bytes) {
  const double digits = std::exp2(digit_bits);
  constexpr double read = 4;
  constexpr double count = 2;
  constexpr double counter_bytes = 4;
  return {.operations = read + count + digits * kWarps * kWarp / kTile,
          .bytes = key_bytes + digits * counter_bytes / kTile};
}

Step sort_and_scatter(int digit_bits, int key_bytes) {
  constexpr double load = 4;
  constexpr double store = 4;
  constexpr double set_up = 6;
  return {.operations = digit_bits * kSplitOperations + load + store + set_up, .bytes = 2.0 * key_bytes};
}

double issue_cycles(const Step& step, const MachineProfile& machine) {
  return step.instructions() * machine.at("warp_instruction");
}

double memory_cycles(const Step& step, const MachineProfile& machine) {
  return step.bytes / (machine.at("bandwidth") / (machine.cores * machine.clock_hz));
}

Elements::Elements(const Workload& workload, const MachineProfile& machine)
    : n_(static_cast<double>(workload.n)), seconds_a_cycle_(n_ / (machine.cores * machine.clock_hz)) {}

Demand Elements::ask(std::string resource, std::string work, double amount, double cycles) const {
  return {std::move(resource), std::move(work), amount * n_, cycles * seconds_a_cycle_};
}

}  // namespace sortlab::satish2010
