// The tables that probes make, with each point measured once.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/probe.hpp"
#include "harness/calibrate/rounds.hpp"

namespace sortlab::calibration {

using Tables = std::map<std::string, ProfileTable, std::less<>>;

/// The tables of all `wanted` probes. Checks that each table has points, and that each point is positive.
template <class Bench, std::predicate<const Probe<Bench>&> Wanted>
Tables measure_tables(const std::vector<Probe<Bench>>& probes, Bench& bench, const Wanted& wanted) {
  std::vector<Probe<Bench>> chosen;
  std::ranges::copy_if(probes, std::back_inserter(chosen), wanted);
  EXPECT_FALSE(chosen.empty());
  TimedRounds rounds{[](const auto& probe) { return ProbeReading{.value = probe()}; }};
  rounds.add_all(chosen, bench);
  rounds.run({.rounds = 1}, [](double, double) {});
  Tables tables;
  rounds.write_to(tables);
  for (const auto& [name, table] : tables) {
    EXPECT_FALSE(table.points.empty()) << name;
    for (const auto& point : table.points) EXPECT_GT(point.value, 0) << name;
  }
  return tables;
}

/// The tables of one sort's probes.
template <class Bench>
Tables measure_tables(const std::vector<Probe<Bench>>& probes, Bench& bench, std::string_view name) {
  return measure_tables(probes, bench, [&](const Probe<Bench>& probe) { return probe.name == name; });
}

}  // namespace sortlab::calibration
