// Replaces likwid in tests: counts, refuses, hangs or crashes as FAKE_LIKWID says.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {
bool is(const char* mode) {
  const char* set = std::getenv("FAKE_LIKWID");
  return set != nullptr && std::strcmp(set, mode) == 0;
}
int threads = 0;
std::string group;
}  // namespace

extern "C" {
void HPMmode(int) {}
int topology_init() {
  return 0;
}
int numa_init() {
  return 0;
}
void affinity_init() {}
int perfmon_init(int count, const int*) {
  if (is("hang")) pause();
  if (is("crash")) std::abort();
  if (is("exit")) {  // like likwid 5.2 without its daemon
    std::fputs("ERROR - first\nERROR - Unable to get path to access daemon.\n", stderr);
    std::exit(1);
  }
  threads = count;
  return is("refuse") ? -1 : 0;
}
int perfmon_addEventSet(const char* name) {
  group = name;
  return is("clock alone") && group != "CLOCK" ? -1 : 0;
}
int perfmon_setupCounters(int) {
  return 0;
}
int perfmon_startCounters() {
  return 0;
}
int perfmon_stopCounters() {
  if (is("hang late")) pause();
  return 0;
}
int perfmon_getNumberOfEvents(int) {
  return 2;
}
// likwid 5.2.2's names of events and metrics for a Zen 3.
char* perfmon_getEventName(int, int event) {
  static char clock[2][32] = {"RETIRED_INSTRUCTIONS", "ACTUAL_CPU_CLOCK"};
  static char branch[2][32] = {"RETIRED_BRANCH_INSTR", "RETIRED_MISP_BRANCH_INSTR"};
  static char tlb[2][32] = {"L1_DTLB_MISS_ANY_L2_HIT", "L1_DTLB_MISS_ANY_L2_MISS"};
  return (group == "BRANCH" ? branch : group == "TLB" ? tlb : clock)[event];
}
int perfmon_getNumberOfMetrics(int) {
  return 2;
}
char* perfmon_getMetricName(int, int metric) {
  static char names[2][64];
  std::snprintf(names[0], sizeof names[0], "%s bandwidth [MBytes/s]", group.c_str());
  std::snprintf(names[1], sizeof names[1], "%s%s",
                group == "MEM1"   ? "Memory data volume (channels 0-3)"
                : group == "MEM2" ? "Memory data volume (channels 4-7)"
                                  : (group + " data volume").c_str(),
                " [GBytes]");
  return names[metric];
}
double perfmon_getLastMetric(int, int metric, int thread) {
  return thread < threads ? 0.25 * (metric + 1) : -1;
}
double perfmon_getLastResult(int, int event, int thread) {
  return thread < threads ? 1000.5 * (event + 1) : -1;
}
}
