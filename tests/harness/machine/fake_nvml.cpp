// Replaces libnvidia-ml in tests: two GPUs, the second at 0000:65:00.0. FAKE_NVML says how they behave, in words:
// power=W watts, step=MS the counter's step in milliseconds, shown=PERCENT of the true power, and stands, jumps, mig,
// shared, clients (of MPS), busy, capped, old (no counter).
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace {

std::string setting() {
  const char* const set = std::getenv("FAKE_NVML");
  return set == nullptr ? "" : set;
}

bool is(const char* word) {
  return setting().find(word) != std::string::npos;
}

double number(const char* name, double otherwise) {
  const std::string text = setting();
  const std::size_t at = text.find(name);
  return at == std::string::npos ? otherwise : std::atof(text.c_str() + at + std::strlen(name));
}

double now_s() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Utilization {
  unsigned gpu;
  unsigned memory;
};

int devices[2] = {0, 1};
double begun_s = 0;  // time of the last start
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;

}  // namespace

extern "C" {

int nvmlInit_v2() {
  begun_s = now_s();
  return is("refuse") ? 9 : 0;
}
const char* nvmlErrorString(int error) {
  return error == kNotSupported ? "Not Supported" : error == kNotFound ? "Not Found" : "Driver Not Loaded";
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = &devices[index];
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  if (std::strcmp(bus_id, "0000:17:00.0") == 0)
    *device = &devices[0];
  else if (std::strcmp(bus_id, "0000:65:00.0") == 0)
    *device = &devices[1];
  else
    return kNotFound;
  return 0;
}
int nvmlDeviceGetName(void*, char* name, unsigned) {
  std::strcpy(name, "Fake H100");
  return 0;
}
int nvmlDeviceGetUUID(void* device, char* uuid, unsigned) {
  std::strcpy(uuid, device == &devices[0] ? "GPU-00000000-0000-0000-0000-000000000017"
                                          : "GPU-00000000-0000-0000-0000-000000000065");
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  if (is("old")) return kNotSupported;
  const double step_s = 1e-3 * number("step=", 20);
  double at_s = now_s() - begun_s;
  if (is("stands")) at_s = 0;
  if (is("jumps") && at_s > 0.5) at_s -= 0.5;
  const auto steps = static_cast<std::int64_t>(at_s / step_s);
  const double power_w = device == &devices[0] ? number("power=", 300) : 50;
  *millijoules = 1'000'000'000 + static_cast<unsigned long long>(1e3 * power_w * step_s * static_cast<double>(steps));
  return 0;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  *milliwatts =
      static_cast<unsigned>(1e3 * (device == &devices[0] ? number("power=", 300) : 50) * number("shown=", 100) / 100);
  return 0;
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int which, unsigned* megahertz) {
  *megahertz = which == 1 ? 1980 : 2619;
  return 0;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  *celsius = 41;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = is("capped") ? 0x5 : 0x1;  // idle, and the power cap
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
  *current = *pending = is("mig") ? 1 : 0;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void*) {
  *count = is("shared") ? 2 : 1;
  return 0;
}
int nvmlDeviceGetMPSComputeRunningProcesses_v3(void*, unsigned* count, void*) {
  *count = is("clients") ? 1 : 0;
  return 0;
}
int nvmlDeviceGetUtilizationRates(void*, Utilization* rates) {
  *rates = {is("busy") ? 90U : 0U, 0U};
  return 0;
}
}
