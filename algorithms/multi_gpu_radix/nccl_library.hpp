// NVIDIA's NCCL, loaded where it is installed: no build needs it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sortlab::multi_gpu {

/// A part of an exchange: `bytes` bytes from the memory of one lane's device to that of another's.
struct Transfer {
  std::size_t from = 0;
  std::size_t to = 0;
  const void* source = nullptr;
  void* destination = nullptr;
  std::uint64_t bytes = 0;
};

/// The reason why NCCL cannot be used here, or nullopt.
std::optional<std::string> nccl_missing();
/// "2.28.3"; empty if it cannot be used.
std::string nccl_version();

/// Sends and receives of one process between its lanes' devices, as NCCL groups them.
class NcclGroup {
 public:
  /// One communicator for each lane. Throws std::runtime_error, as for two lanes on one device.
  explicit NcclGroup(const std::vector<int>& devices);
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  ~NcclGroup();

  /// Queues the transfers, each on the streams of both lanes. `streams`: a cudaStream_t of each lane.
  void exchange(const std::vector<Transfer>& transfers, const std::vector<void*>& streams);

 private:
  std::vector<void*> communicators_;
};

}  // namespace sortlab::multi_gpu
