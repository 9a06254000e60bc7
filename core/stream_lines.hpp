// Writing whole lines around the caches: ordinary stores would first read the lines that they overwrite, and would take
// the place of what a sort will need again.
#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace sortlab {

inline constexpr std::size_t kLineBytes = 64;

/// Whether this machine has stores that bypass the cache.
#if defined(__x86_64__)
inline constexpr bool kHasStreamingStores = true;
#else
inline constexpr bool kHasStreamingStores = false;
#endif

/// Copies `bytes`, whole lines, from `from` to `to`, which is aligned to a line; by the widest streaming stores that
/// this processor has, by ordinary ones if it has none.
using StreamLines = void (*)(void* to, const void* from, std::size_t bytes);
extern const StreamLines stream_lines;

/// Makes all that this thread has streamed visible to threads that meet it at a barrier: once at the end of a phase.
inline void finish_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace sortlab
