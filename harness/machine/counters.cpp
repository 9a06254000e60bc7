#include "harness/machine/counters.hpp"

#include <fmt/format.h>

namespace sortlab {

CounterChoice choose_counters(const std::vector<CounterSource>& sources) {
  CounterChoice choice;
  for (const CounterSource& source : sources) {
    try {
      choice.counters = source.open();
      choice.source = source.name;
      return choice;
    } catch (const CountersUnavailable& why) {
      choice.reason += fmt::format("{}{}: {}", choice.reason.empty() ? "" : "; ", source.name, why.what());
    }
  }
  return choice;
}

}  // namespace sortlab
