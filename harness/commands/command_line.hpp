// The command line: its commands, and the report of bad input.
#pragma once

namespace sortlab {

/// Parses the command line, runs the command, and returns the exit status: 0 done, 1 a failure or a result that needs
/// attention, 2 bad input, which is reported in one line on standard error.
int run_command_line(int argc, const char* const* argv);

}  // namespace sortlab
