// Streaming stores, which write whole cache lines past the caches: ordinary stores would first read the lines that they
// overwrite, and evict data that the sort needs again.
#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace sortlab {

inline constexpr std::size_t kLineBytes = 64;

/// True if this machine has stores that bypass the cache.
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
  _mm_sfence();
#endif
}

}  // namespace sortlab
