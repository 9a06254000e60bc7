// State that a process inherits from the one that started it, besides its environment's variables: it changes times,
// and no file under /sys shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace sortlab {

/// Gives this process, and those that it starts, random addresses again where a debugger or `setarch -R` has taken them
/// away: samples of several processes would share their addresses, and the interval would be too narrow. To be called
/// once by main, before it starts others.
void randomise_addresses();

/// For the run record: `addresses_restored`, true if randomise_addresses() changed something; `scheduler` and `nice`;
/// `huge_pages_disabled`, true if the process may have none (PR_SET_THP_DISABLE); `memory_policy` ("default", or as
/// numactl sets it); the mitigations of the process, `store_bypass` and `indirect_branches`, as its status names them;
/// `traced`; `stack_limit_bytes`, which threads' stacks follow, or null for none.
nlohmann::ordered_json process_record();

/// Raises the limits of stacks (ulimit -s) to 8 MiB and of open files (ulimit -n) to 1024, as far as they may be
/// raised, for this process and those that it starts: a sort may recurse as deeply, and its threads can be watched
/// through /proc, under any limits that a shell has set. Returns a line that names the limit and what is needed where
/// one stays too low for this program, or nothing.
std::optional<std::string> raise_limits();

/// A line that says so where the C library's clocks do not run as fast as the kernel's, or nothing: a preloaded library
/// that replaces clock_gettime (libfaketime) would bend every time. A clock that is shifted alone bends none. Takes a
/// millisecond.
std::optional<std::string> fault_of_clocks();

/// A line that says so where /proc does not show this process or its files may not be read, or nothing. What a sort's
/// threads waited, and how many there are, would else be taken for 0.
std::optional<std::string> fault_of_proc();

/// Unblocks all signals, for this process and those that it starts, lets SIGCHLD be no longer ignored, ignores SIGIO
/// and SIGPWR, and ends timers of processor time that a program has set before it became this one. A program
/// that blocks SIGCONT passes that on, and a sort that was suspended would then begin to run before anything learns
/// that it was; one that blocks SIGTERM would make a run that nothing ends; and where SIGCHLD is ignored, the system
/// does not tell how a worker ended.
void reset_signals();

}  // namespace sortlab
