// The commands implemented in Python, which turn records into pages, figures and files of other programs (plots/).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/child_process.hpp"

namespace sortlab {

/// Adds their names and purposes to the help; run_python_command() runs them.
void add_python_commands(CLI::App& app);

/// Sets up a Python that runs `words`. Variables that change how it runs are kept from it (PYTHONINSPECT,
/// PYTHONOPTIMIZE, PYTHONWARNINGS ...), those that say where its packages are pass. The current folder is none of these
/// places: a json.py there would be taken for Python's own.
ChildSetup python_setup(std::vector<std::string> words);

/// Replaces this process by the Python program if the first word of the command line is one of its commands; otherwise
/// returns. Throws BadInput if there is no Python.
void run_python_command(int argc, const char* const* argv);

/// The Python to use: SORTLAB_PYTHON if set, else the checkout's virtual environment, which exists if the
/// distribution's Python lacks modules, else the distribution's Python, else the first on PATH.
std::optional<std::string> find_python();

/// Names of the packages that tables, figures and pages need and this Python lacks; nothing if it cannot be run.
std::optional<std::vector<std::string>> missing_packages(const std::string& python);

}  // namespace sortlab
