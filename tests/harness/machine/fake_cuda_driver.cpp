// Replaces libcuda in tests: two GPUs, or what FAKE_CUDA says.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {
bool is(const char* mode) {
  const char* set = std::getenv("FAKE_CUDA");
  return set != nullptr && std::strcmp(set, mode) == 0;
}
}  // namespace

extern "C" {
int cuInit(unsigned) {
  if (is("hang")) pause();
  if (is("crash")) std::abort();
  return is("refuse") ? 999 : 0;
}
int cuDriverGetVersion(int* version) {
  *version = 12040;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = is("none") ? 0 : 2;
  return 0;
}
int cuDeviceGetName(char* name, int length, int device) {
  std::strncpy(name, device == 0 ? "GeForce GTX 280" : "Tesla C1060", static_cast<std::size_t>(length));
  return 0;
}
}
