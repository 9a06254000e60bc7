// The commands implemented in Python: they turn records into pages, figures and other programs' files (plots/).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace sortlab {

/// Adds their names and what they are for to the help; run_python_command runs them.
void add_python_commands(CLI::App& app);

/// Replaces this process by the Python program if the command line's first word is one of its commands; returns if it
/// is none. Throws BadInput where there is no Python.
void run_python_command(int argc, const char* const* argv);

/// SORTLAB_PYTHON if set; else the checkout's virtual environment, which is there where the distribution's Python lacks
/// something; else the distribution's, whatever other one comes first on PATH; else that.
std::optional<std::string> find_python();

}  // namespace sortlab
