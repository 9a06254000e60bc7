#include "harness/commands/python_commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/parameters.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/find_program.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

struct PythonCommand {
  std::string_view name;
  std::string_view file;  ///< file in plots/; without it the command is not offered
  std::string_view what;
};

// The same commands as in plots/__main__.py; a test compares the two.
constexpr std::array<PythonCommand, 12> kCommands{{
    {"render", "commands/render.py", "Draws tables, figures, the claims ledger and the report from records"},
    {"explore", "explorer/command.py", "Makes a static site to look through the records of several machines"},
    {"fastest", "commands/fastest.py", "Says which sort is the fastest at each n on each machine, and what one gains"},
    {"export", "exchange/export.py", "Writes records as Google Benchmark's JSON, CSV or Parquet"},
    {"import", "exchange/foreign.py", "Reads results of other harnesses, or shows a colleague's crate beside records"},
    {"artifact", "publication/command.py", "Writes an artifact's appendix, citation and crate of records"},
    {"submit", "exchange/submit.py", "Checks records as a reviewer would and makes a folder for results/reference/"},
    {"campaign", "campaign/command.py", "Measures the reference of a machine, or checks such a folder"},
    {"convert-keys", "commands/convert_keys.py", "Writes a column of a Parquet, Arrow or CSV file as .npy"},
    {"draw-keys", "commands/draw_keys.py", "Draws the picture of a description by keys describe"},
    {"check", "check.py", "Checks that the outputs in a dump are their inputs, sorted"},
    {"check-validation", "commands/check_validation.py",
     "Checks that a validation's predictions came before its measurements"},
}};

/// The package in a checkout or an installed share folder, or nullopt: it may still be installed by pip. A wrong
/// SORTLAB_ROOT throws BadInput.
std::optional<fs::path> package() {
  const char* const root = std::getenv("SORTLAB_ROOT");
  const bool is_set = root != nullptr && *root != '\0';
  try {
    std::error_code ignored;
    const fs::path plots = checkout_root() / "plots";
    if (fs::is_regular_file(plots / "__main__.py", ignored)) return plots;
  } catch (const BadInput&) {
    if (is_set) throw;
  }
  return std::nullopt;
}

/// Variables of Python that say where it finds packages and keeps its caches, and how it writes.
constexpr std::array<std::string_view, 7> kPythonPlaces{
    "PYTHONPATH",          "PYTHONHOME",       "PYTHONUSERBASE",         "PYTHONNOUSERSITE",
    "PYTHONPYCACHEPREFIX", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"};

/// A PYTHONPATH without the empty entries by which Python means the current folder: `export PYTHONPATH=$PYTHONPATH:/x`
/// makes one by accident.
std::string without_empty_entries(const std::string& folders) {
  std::vector<std::string> entries;
  std::istringstream all{folders};
  for (std::string entry; std::getline(all, entry, ':');) {
    if (!entry.empty()) entries.push_back(entry);
  }
  return fmt::format("{}", fmt::join(entries, ":"));
}

/// Begin of a program in the option -c, with which Python would look for modules in the current folder first.
constexpr std::string_view kWithoutCurrentFolder = "import sys; sys.path[:] = filter(None, sys.path); ";

}  // namespace

ChildSetup python_setup(std::vector<std::string> words) {
  ChildSetup setup{.words = std::move(words), .passes = [](std::string_view name) {
                     return !name.starts_with("PYTHON") ||
                            std::ranges::find(kPythonPlaces, name) != kPythonPlaces.end();
                   }};
  if (const char* folders = std::getenv("PYTHONPATH")) {
    setup.environment.emplace_back("PYTHONPATH", without_empty_entries(folders));
  }
  return setup;
}

void add_python_commands(CLI::App& app) {
  std::optional<fs::path> plots;
  try {
    plots = package();
  } catch (const BadInput&) {  // whoever needs the package reports it
  }
  for (const PythonCommand& command : kCommands) {
    std::error_code ignored;
    if (plots && !fs::exists(*plots / command.file, ignored)) continue;
    app.add_subcommand(std::string{command.name}, std::string{command.what})->allow_extras()->callback([&command] {
      throw BadInput(fmt::format("{}: must be the first word of the command line", command.name));
    });
  }
}

void run_python_command(int argc, const char* const* argv) {
  if (argc < 2) return;
  const std::string_view wanted = argv[1];
  if (std::ranges::find(kCommands, wanted, &PythonCommand::name) == kCommands.end()) return;
  const std::optional<std::string> python = find_python();
  if (!python)
    throw BadInput(fmt::format("{}: no python3 on PATH; install python3, or set SORTLAB_PYTHON to one", wanted));
  std::vector<std::string> words{*python};
  if (const auto plots = package()) {
    words.push_back((*plots / "__main__.py").string());
  } else {
    words.insert(words.end(), {"-c", fmt::format("{}import runpy; runpy.run_module('sortlab', run_name='__main__', "
                                                 "alter_sys=True)",
                                                 kWithoutCurrentFolder)});
  }
  words.insert(words.end(), argv + 1, argv + argc);
  replace_process(python_setup(std::move(words)));
  throw BadInput(fmt::format("{}: {} cannot be run: {}", wanted, *python, std::strerror(errno)));
}

std::optional<std::vector<std::string>> missing_packages(const std::string& python) {
  // The packages of plots/commands/start.py; a test compares the two.
  const std::string ask = fmt::format(
      "{}import importlib.util as u; print('missing:', *(n for n in ('fastjsonschema', 'jinja2', 'markupsafe', "
      "'matplotlib', 'numpy') if u.find_spec(n) is None))",
      kWithoutCurrentFolder);
  const std::optional<std::string> said = capture_output(python_setup({python, "-c", ask}));
  constexpr std::string_view begin = "missing:";
  if (!said || !said->starts_with(begin)) return std::nullopt;
  std::vector<std::string> names;
  std::istringstream words{said->substr(begin.size())};
  for (std::string name; words >> name;) names.push_back(name);
  return names;
}

std::optional<std::string> find_python() {
  if (const char* set = std::getenv("SORTLAB_PYTHON"); set != nullptr && *set != '\0') return set;
  try {
    const fs::path own = checkout_root() / ".venv/bin/python";
    if (access(own.c_str(), X_OK) == 0) return own.string();
  } catch (const BadInput&) {  // no root folder
  }
  if (access("/usr/bin/python3", X_OK) == 0) return "/usr/bin/python3";
  return find_program("python3");
}

}  // namespace sortlab
