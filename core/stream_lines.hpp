// Streaming stores, which write whole cache lines past the caches: ordinary stores would first read the lines that they
// overwrite, and evict data that the sort needs again. And the eviction of lines.
#pragma once

#include <cstddef>
#include <span>

namespace sortlab {

/// Bytes of a cache line of x86 and of Arm's Cortex and Neoverse cores. Where lines are longer (Apple: 128, A64FX:
/// 256), sorts are right but write parts of lines.
inline constexpr std::size_t kLineBytes = 64;

/// True if this machine has stores that bypass the cache. Not on Arm, whose STNP is only a hint and has not been tried.
#if defined(__x86_64__)
inline constexpr bool kHasStreamingStores = true;
#else
inline constexpr bool kHasStreamingStores = false;
#endif

/// Copies `bytes`, whole lines, from `from` to `to`, which is aligned to a line, with the widest streaming stores of
/// this processor, or ordinary ones if it has none.
using StreamLines = void (*)(void* to, const void* from, std::size_t bytes);
extern const StreamLines stream_lines;

/// Makes this thread's streaming stores visible to threads that meet it at a barrier: once at the end of a phase.
inline void finish_streaming() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

/// Evicts the lines that hold `bytes` from all caches, and waits for it. Does nothing on a processor where it cannot.
inline void evict_lines([[maybe_unused]] std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const auto evict = []([[maybe_unused]] const std::byte* address) {
#if defined(__x86_64__)
    __builtin_ia32_clflush(address);
#elif defined(__aarch64__)
    asm volatile("dc civac, %0" : : "r"(address) : "memory");
#endif
  };
  for (std::size_t i = 0; i < bytes.size(); i += kLineBytes) evict(bytes.data() + i);
  evict(&bytes.back());
#if defined(__x86_64__)
  __builtin_ia32_mfence();
#elif defined(__aarch64__)
  asm volatile("dsb ish" : : : "memory");
#endif
}

}  // namespace sortlab
