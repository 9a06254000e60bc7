#include "harness/count/metrics.hpp"

#include <algorithm>

namespace sortlab {

const std::vector<Counter>& counters_of_kernels() {
  static const std::vector<Counter> counters{
      {"instructions", "smsp__inst_executed.sum", "instructions of warps", "instructions"},
      {"thread_instructions", "smsp__thread_inst_executed.sum", "instructions of threads"},
      {"instructions_alu", "sm__inst_executed_pipe_alu.sum", "of warps, by the pipe of integers and logic",
       "instructions.alu"},
      {"instructions_fma", "sm__inst_executed_pipe_fmaheavy.sum", "by the pipe of integer multiplications",
       "instructions.fma"},
      {"instructions_lsu", "sm__inst_executed_pipe_lsu.sum", "by the pipe of loads, stores and shuffles",
       "instructions.lsu"},
      {"instructions_xu", "sm__inst_executed_pipe_xu.sum", "by the pipe of population counts and conversions",
       "instructions.xu"},
      {"instructions_adu", "sm__inst_executed_pipe_adu.sum", "by the pipe of barriers and indexed constants",
       "instructions.adu"},
      {"instructions_uniform", "sm__inst_executed_pipe_uniform.sum", "by the pipe of operations common to all lanes",
       "instructions.uniform"},
      {"shared_loads", "smsp__inst_executed_op_shared_ld.sum", "loads from shared memory by warps"},
      {"shared_stores", "smsp__inst_executed_op_shared_st.sum", "stores to shared memory by warps"},
      {"shared_atomics", "smsp__inst_executed_op_shared_atom.sum", "atomics on shared memory by warps",
       "atomics.shared"},
      {"lsu_wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", "cycles of the L1 cache's and shared memory's data"},
      {"shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "those for shared memory",
       "wavefronts.shared"},
      {"shared_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
       "cycles lost to conflicts of its banks"},
      {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "loads from global memory by warps"},
      {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "32-byte sectors that these touch"},
      {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "stores to global memory by warps"},
      {"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "32-byte sectors that these touch"},
      {"l2_bytes", "lts__t_bytes.sum", "bytes that pass the L2 cache, fills and evictions too", "bytes.l2"},
      {"l2_read_sectors", "lts__t_sectors_op_read.sum", "32-byte sectors read in the L2 cache"},
      {"l2_write_sectors", "lts__t_sectors_op_write.sum", "32-byte sectors written in the L2 cache"},
      {"dram_read_bytes", "dram__bytes_read.sum", "bytes read from the device's memory", "bytes.read"},
      {"dram_write_bytes", "dram__bytes_write.sum", "bytes written to it before the kernel ended", "bytes.written"}};
  return counters;
}

const std::vector<DeviceResource>& resources_of_device() {
  static const std::vector<DeviceResource> resources{
      {"dram", {"dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"l2", {"lts__t_sectors.avg.pct_of_peak_sustained_elapsed", "lts__d_sectors.avg.pct_of_peak_sustained_elapsed"}},
      // Schedulers, and the pipes that accept an instruction only every second or fourth cycle.
      {"issue",
       {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"}},
      // The path of loads, stores, atomics and shuffles: their instructions, and the cycles of their data.
      {"shared",
       {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed",
        "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"}}};
  return resources;
}

const std::vector<std::pair<std::string_view, std::string_view>>& stall_reasons() {
#define SORTLAB_STALL(name) \
  { #name, "smsp__average_warps_issue_stalled_" #name "_per_issue_active.ratio" }
  static const std::vector<std::pair<std::string_view, std::string_view>> reasons{
      SORTLAB_STALL(barrier),         SORTLAB_STALL(branch_resolving),
      SORTLAB_STALL(dispatch_stall),  SORTLAB_STALL(drain),
      SORTLAB_STALL(imc_miss),        SORTLAB_STALL(lg_throttle),
      SORTLAB_STALL(long_scoreboard), SORTLAB_STALL(math_pipe_throttle),
      SORTLAB_STALL(membar),          SORTLAB_STALL(mio_throttle),
      SORTLAB_STALL(no_instruction),  SORTLAB_STALL(not_selected),
      SORTLAB_STALL(selected),        SORTLAB_STALL(short_scoreboard),
      SORTLAB_STALL(sleeping),        SORTLAB_STALL(wait)};
#undef SORTLAB_STALL
  return reasons;
}

std::vector<std::string> metrics_to_count(bool stalls) {
  std::vector<std::string> metrics;
  for (const Counter& counter : counters_of_kernels()) metrics.emplace_back(counter.metric);
  for (const DeviceResource& resource : resources_of_device()) {
    metrics.insert(metrics.end(), resource.metrics.begin(), resource.metrics.end());
  }
  metrics.emplace_back(kOccupancyMetric);
  if (stalls) {
    for (const auto& [name, metric] : stall_reasons()) metrics.emplace_back(metric);
  }
  return metrics;
}

std::string binding_resource(const std::map<std::string, double>& utilisation) {
  const auto most = std::ranges::max_element(utilisation, {}, [](const auto& use) { return use.second; });
  return most == utilisation.end() || most->second < kBinds ? "latency" : most->first;
}

}  // namespace sortlab
