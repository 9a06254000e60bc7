// The state of the machine during a run: facts that change between boots or by administration, and may affect times.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sortlab {

/// Read anew in each call. A fact that this machine does not expose is null. Fields with their units: `kernel`, `os`,
/// `hypervisor`, `microcode`; `governor`, `scaling_driver`, `boost`, `smt`; `transparent_huge_pages`,
/// `transparent_huge_pages_defrag`, `huge_pages_2m`, `huge_pages_1g` (reserved), `numa_balancing`,
/// `memory_available_bytes`, `swap_bytes`, `swap_used_bytes`; `load_1min`, `running_tasks`, `uptime_s`; `aslr`;
/// `temperature_c` (the hottest sensor); `clock_source`, `timer_resolution_s` (the smallest step seen of the steady
/// clock); `affinity` (processors allowed), `isolated_cpus`; `cgroup` (`cpu_quota` in cores, `memory_limit_bytes`);
/// `variables` (variables_record()); the members of process_record();
/// `perf_event_paranoid`, `counters` (the working source, or null) and `counters_reason`.
nlohmann::ordered_json environment_record();

/// The setting of huge pages that such a record has, as huge_page_setting() of core/huge_pages.hpp tells the present
/// one.
std::string huge_page_setting(const nlohmann::ordered_json& environment);

}  // namespace sortlab
