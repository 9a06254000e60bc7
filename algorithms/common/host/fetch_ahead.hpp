// Software prefetch of a loop's input. The hardware prefetcher follows only a few streams: it loses the input of a loop
// that also writes to hundreds of buckets, and it stops at the end of a page.
#pragma once

#include <cstddef>

namespace sortlab {

/// Prefetch distance: 16 lines. On a Xeon with 2 MiB of second-level cache per core, 8 lines are 6 % slower for 8-bit
/// digits of 32-bit keys, and 32 no faster.
inline constexpr std::size_t kFetchAheadBytes = 1024;

/// Prefetches the line at this distance after `at`. Harmless if no memory is mapped there. Always inlined, since GCC 12
/// drops calls of a function that only prefetches.
[[gnu::always_inline]] inline void fetch_ahead(const void* at) {
  __builtin_prefetch(static_cast<const char*>(at) + kFetchAheadBytes);
}

}  // namespace sortlab
