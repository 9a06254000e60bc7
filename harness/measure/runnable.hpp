// The timed call of a cell behind one interface: its component, or else its algorithm's sort.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

/// Prepares the component or the sort of a cell. Throws the plug-in's exceptions, such as std::bad_alloc.
std::unique_ptr<Runnable> prepare(const Case& c, const Resources& resources);

/// Wraps a sorter of the cell's algorithm, which is the plug-in's own or a wrapper around it.
std::unique_ptr<Runnable> whole_sort(const Case& c, std::unique_ptr<Sorter> sorter);

/// Names of the phases that the cell's runnable reports.
const std::vector<std::string>& phase_names(const Case& c);

/// Phases of all lanes by name and pass, in the order in which they began.
std::vector<PhaseTime> phase_times(const PhaseTimer& timer);

}  // namespace sortlab
