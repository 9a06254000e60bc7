// Stores that bypass the cache: whether there are any, and when others see them.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sortlab {

/// Whether this machine has stores that bypass the cache.
#if defined(__SSE2__)
inline constexpr bool kHasStreamingStores = true;
#else
inline constexpr bool kHasStreamingStores = false;
#endif

/// Makes what was streamed visible to threads that meet this one at a barrier.
inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace sortlab
