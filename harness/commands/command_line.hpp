// The command line as a whole: its commands, and how bad input is reported.
#pragma once

namespace sortlab {

/// Parses, runs the command, and returns the exit status: 0 done, 1 a result to look at or a failure, 2 bad input, told
/// in one line on standard error.
int run_command_line(int argc, const char* const* argv);

}  // namespace sortlab
