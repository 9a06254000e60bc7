// What a cell times: the component that it names, or else its algorithm's sort, behind one interface.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"

namespace sortlab {

/// Throws what the plug-in throws; std::bad_alloc, say.
std::unique_ptr<Runnable> prepare(const Case& c, const Resources& resources);

/// A sorter of the cell's algorithm behind that interface, the plug-in's own or one around it.
std::unique_ptr<Runnable> whole_sort(const Case& c, std::unique_ptr<Sorter> sorter);

/// The names of the phases that it reports.
const std::vector<std::string>& phases_of(const Case& c);

}  // namespace sortlab
