// State that a process inherits from the one that started it, besides its environment's variables: it changes times,
// and no file under /sys shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace sortlab {

/// Gives this process, and those that it starts, random addresses again where a debugger or `setarch -R` has taken them
/// away: samples of several processes would share their addresses, and the interval would be too narrow. To be called
/// once by main, before it starts others.
void randomise_addresses();

/// For the run record: `addresses_restored`, true if randomise_addresses() changed something; `scheduler` and `nice`;
/// `huge_pages_disabled`, true if the process may have none (PR_SET_THP_DISABLE); `memory_policy` ("default", or as
/// numactl sets it); the mitigations of the process, `store_bypass` and `indirect_branches`, as its status names them.
nlohmann::ordered_json process_record();

/// Unblocks all signals, for this process and those that it starts. A program that blocks SIGCONT passes that on, and a
/// sort that was suspended would then begin to run before anything learns that it was; one that blocks SIGTERM would
/// make a run that nothing ends.
void unblock_signals();

}  // namespace sortlab
