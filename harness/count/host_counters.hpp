// The counters of a host sort under our names.
#pragma once

#include <array>
#include <string_view>

namespace sortlab {

struct HostCounter {
  std::string_view name;
  std::string_view event;  ///< callgrind's name
  std::string_view meaning;
};

/// Counters in user space, including the sort's libraries.
inline constexpr std::array kHostCounters{
    HostCounter{"instructions", "Ir", "instructions"},
    HostCounter{"loads", "Dr", "instructions that read memory; under callgrind read-modify-writes, too"},
    HostCounter{"stores", "Dw", "instructions that write memory; under callgrind without read-modify-writes"},
    HostCounter{"branches", "Bc", "conditional branches; by perf_event all branches"},
    HostCounter{"indirect_jumps", "Bi", "indirect jumps and calls, without returns"},
    HostCounter{"branch_misses", "", "of branches; callgrind, which predicts as no processor does, is not asked"},
    HostCounter{"cycles", "", "of the core's own clock; by likwid, as all below"},
    HostCounter{"dtlb_misses", "", "data accesses whose translation was looked up in the page tables"},
    HostCounter{"bytes_l2", "", "between the first and the second level"},
    HostCounter{"bytes_l3", "", "between the second and the third level"},
    HostCounter{"bytes_memory", "", "read from memory and written to it, the whole socket's"}};

}  // namespace sortlab
