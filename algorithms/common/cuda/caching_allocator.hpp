// Caches the memory that Thrust allocates during a sort, from one sort to the next.
#pragma once

#include <map>

#include "core/cuda/device_memory.hpp"

namespace sortlab {

/// An allocator for Thrust's execution policies. The first sort of a size allocates while it is timed; later ones reuse
/// the blocks, as in programs that sort often.
class CachingAllocator {
 public:
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    DeviceMemory memory;
    if (const auto block = free_.lower_bound(size); block != free_.end()) {
      memory = std::move(block->second);
      free_.erase(block);
    } else {
      memory = DeviceMemory{size};
    }
    char* const data = memory.data<char>();
    used_.emplace(data, std::move(memory));
    return data;
  }

  void deallocate(char* data, std::size_t) {
    auto block = used_.extract(data);
    if (block.empty()) return;
    const std::size_t size = block.mapped().size();
    free_.emplace(size, std::move(block.mapped()));
  }

  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [size, memory] : free_) sum += size;
    for (const auto& [data, memory] : used_) sum += memory.size();
    return sum;
  }

 private:
  std::multimap<std::size_t, DeviceMemory> free_;
  std::map<char*, DeviceMemory> used_;
};

}  // namespace sortlab
