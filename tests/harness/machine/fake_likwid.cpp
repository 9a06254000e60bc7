// Stands for likwid in tests: counts to order, refuses, hangs or crashes as FAKE_LIKWID says.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
bool is(const char* mode) {
  const char* set = std::getenv("FAKE_LIKWID");
  return set != nullptr && std::strcmp(set, mode) == 0;
}
int threads = 0;
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
  if (is("exit")) {  // as likwid 5.2 does where its daemon is missing
    std::fputs("ERROR - first\nERROR - Unable to get path to access daemon.\n", stderr);
    std::exit(1);
  }
  threads = count;
  return is("refuse") ? -1 : 0;
}
int perfmon_addEventSet(const char*) {
  return 0;
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
char* perfmon_getEventName(int, int event) {
  static char names[2][16] = {"INSTR_RETIRED", "CLK_UNHALTED"};
  return names[event];
}
double perfmon_getLastResult(int, int event, int thread) {
  return thread < threads ? 1000.5 * (event + 1) : -1;
}
}
