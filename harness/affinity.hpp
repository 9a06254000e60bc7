// Which processors a thread may run on.
#pragma once

#include <vector>

namespace sortlab {

/// The processors the calling thread is allowed, ascending.
std::vector<int> allowed_cpus();

/// Binds the calling thread to `cpus` for the life of the object. A refusal by the system is ignored: a time is then
/// taken unbound, and what binding was asked for is in the record.
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
