// Processors that a thread may run on. Threads that it starts inherit them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sortlab {

/// The processors the calling thread is allowed, ascending.
std::vector<int> allowed_cpus();

/// The reason that the system does not tell these processors, as under a filter of system calls (seccomp), or nothing.
/// hwloc then never stops asking.
std::optional<std::string> fault_of_affinity();

/// Binds the calling thread to `cpus`; empty: leaves it as it is. Returns true if it may now run on exactly these.
/// Otherwise the system refused (in a container, say), or a cpuset left some of them out; see failed_bindings().
bool pin_to(const std::vector<int>& cpus);

/// Number of bindings that threads of this process asked for, by pin_to or Pinned, and did not get.
std::uint64_t failed_bindings();

/// Binds the calling thread as pin_to does, for the life of the object.
class Pinned {
 public:
  explicit Pinned(const std::vector<int>& cpus);
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned();

 private:
  std::vector<int> before_;
};

}  // namespace sortlab
