#include "core/affinity.hpp"

#include <sched.h>

namespace sortlab {
namespace {

constexpr int kMaxCpus = 8192;
constexpr std::size_t kSetBytes = CPU_ALLOC_SIZE(kMaxCpus);

struct CpuSet {
  cpu_set_t parts[kSetBytes / sizeof(cpu_set_t)];
};

}  // namespace

void pin_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  CpuSet set{};
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), kSetBytes, set.parts);
  sched_setaffinity(0, kSetBytes, set.parts);
}

std::vector<int> allowed_cpus() {
  CpuSet set{};
  std::vector<int> cpus;
  if (sched_getaffinity(0, kSetBytes, set.parts) != 0) return {0};
  for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), kSetBytes, set.parts)) cpus.push_back(cpu);
  }
  return cpus;
}

Pinned::Pinned(const std::vector<int>& cpus) : before_(allowed_cpus()) {
  pin_to(cpus);
}

Pinned::~Pinned() {
  pin_to(before_);
}

}  // namespace sortlab
