// The timed call of a cell behind one interface: its component, or else its algorithm's sort.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"
#include "harness/cell/reason_code.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

/// Prepares the component or the sort of a cell. Throws the plug-in's exceptions, such as std::bad_alloc.
std::unique_ptr<Runnable> prepare(const Case& c, const Resources& resources);

/// Wraps a sorter of the cell's algorithm, which is the plug-in's own or a wrapper around it.
std::unique_ptr<Runnable> whole_sort(const Case& c, std::unique_ptr<Sorter> sorter);

/// Names of the phases that the cell's runnable reports.
const std::vector<std::string>& phase_names(const Case& c);

/// Phases by name and pass, in the order in which they began. The time of a phase is that during which a lane was in
/// it: lanes that are in it at once count once, and a lane that leaves it for another phase is not in it until it
/// returns.
std::vector<PhaseTime> phase_times(const PhaseTimer& timer);

/// The phases of each lane by itself.
std::vector<PhaseTime> phase_times_by_lane(const PhaseTimer& timer);

/// The reason why the sort's report of its phases cannot be right, or nothing: a phase that it does not declare, or
/// more phases than a pass over the data can have.
std::optional<Reason> fault_in_phases(const PhaseTimer& timer, const Case& c);

}  // namespace sortlab
