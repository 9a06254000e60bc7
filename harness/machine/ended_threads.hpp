// Waiting for processors of threads that a sort made and ended in one call. The kernel forgets it with the thread, so
// this program's pthread_create stands before the C library's and has each thread read it as it ends.
#pragma once

namespace sortlab {

/// Seconds that the ended threads of this process were ready to run and waited for a processor, the time until they
/// first ran included. Threads of which that is too little to matter (1 % of their lives, or 20 us) do not read it. 0
/// in builds with sanitizers, whose own pthread_create must come first, and without glibc.
double ended_threads_waited_s();

}  // namespace sortlab
