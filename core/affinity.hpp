// Processors that a thread may run on. Threads that it starts inherit them.
#pragma once

#include <vector>

namespace sortlab {

/// The processors the calling thread is allowed, ascending.
std::vector<int> allowed_cpus();

/// Binds the calling thread to `cpus`; empty: leaves it as it is. A refusal by the system (in a container, say) is
/// ignored: the run is then unbound, and the record states the binding that was requested.
void pin_to(const std::vector<int>& cpus);

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
