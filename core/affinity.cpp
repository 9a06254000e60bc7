#include "core/affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>

namespace sortlab {
namespace {

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

/// A set of processors 0 to `cpus` - 1, empty at first.
class CpuSet {
 public:
  explicit CpuSet(int cpus) : bytes_(CPU_ALLOC_SIZE(cpus)), set_(CPU_ALLOC(cpus)) { CPU_ZERO_S(bytes_, set_.get()); }
  void add(int cpu) { CPU_SET_S(static_cast<std::size_t>(cpu), bytes_, set_.get()); }
  bool contains(int cpu) const { return CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes_, set_.get()); }
  std::size_t bytes() const { return bytes_; }
  cpu_set_t* get() const { return set_.get(); }

 private:
  std::size_t bytes_;
  std::unique_ptr<cpu_set_t, FreeSet> set_;
};

/// Size of a set that the kernel accepts: it refuses those smaller than its own, whose size it does not tell.
std::atomic<int> set_size{CPU_SETSIZE};
constexpr int kMaxSetSize = 1 << 20;

std::atomic<std::uint64_t> failures{0};

/// Asks the system to bind the calling thread to `cpus`, which may be more than it gives.
void ask_for(const std::vector<int>& cpus) {
  CpuSet set(std::ranges::max(cpus) + 1);
  for (const int cpu : cpus) set.add(cpu);
  sched_setaffinity(0, set.bytes(), set.get());
}

}  // namespace

bool pin_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return true;
  ask_for(cpus);
  std::vector<int> wanted = cpus;
  std::ranges::sort(wanted);
  if (allowed_cpus() == wanted) return true;
  ++failures;
  return false;
}

std::uint64_t failed_bindings() {
  return failures.load();
}

std::optional<std::string> fault_of_affinity() {
  const CpuSet set(kMaxSetSize);
  if (sched_getaffinity(0, set.bytes(), set.get()) == 0) return std::nullopt;
  return "processors: sched_getaffinity is refused (" + std::generic_category().message(errno) +
         "); let it through (seccomp)";
}

std::vector<int> allowed_cpus() {
  while (true) {
    const int size = set_size.load();
    const CpuSet set(size);
    if (sched_getaffinity(0, set.bytes(), set.get()) == 0) {
      std::vector<int> cpus;
      for (int cpu = 0; cpu < size; ++cpu) {
        if (set.contains(cpu)) cpus.push_back(cpu);
      }
      return cpus;
    }
    if (errno != EINVAL || size >= kMaxSetSize) return {0};
    set_size.store(2 * size);
  }
}

Pinned::Pinned(const std::vector<int>& cpus) : before_(allowed_cpus()) {
  pin_to(cpus);
}

Pinned::~Pinned() {
  ask_for(before_);  // a cpuset may have become narrower meanwhile
}

}  // namespace sortlab
