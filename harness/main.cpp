#include "core/affinity.hpp"
#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/commands/command_line.hpp"
#include "harness/machine/process_state.hpp"

int main(int argc, char** argv) {
  sortlab::open_standard_streams();
  sortlab::reset_signals();
  for (const auto& fault :
       {sortlab::raise_limits(), sortlab::fault_of_affinity(), sortlab::fault_of_clocks(), sortlab::fault_of_proc()}) {
    if (!fault) continue;
    sortlab::tell("sortlab: " + *fault);
    return 2;
  }
  sortlab::randomise_addresses();
  return sortlab::finish_standard_output(sortlab::run_command_line(argc, argv));
}
