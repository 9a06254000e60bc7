#include "harness/commands/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/parameters.hpp"
#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/python_commands.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/modules.hpp"
#include "harness/machine/worker_environment.hpp"

namespace sortlab {
namespace {

int complain(std::string_view message, int exit_status) {
  tell(fmt::format("sortlab: {}", message));
  return exit_status;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());  // visible commands only, without `worker`
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Throws BadInput unless the first word is a command. Called before parsing, so that this mistake is the one reported.
void check_command(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<std::string> names = command_names(app);
  if (argc < 2) throw BadInput(fmt::format("command: none given; allowed: {}", join(names)));
  const std::string first = argv[1];
  const auto is_first = [&](const CLI::App* command) { return command->get_name() == first; };
  if (first.starts_with('-') || !app.get_subcommands(is_first).empty()) return;  // includes hidden commands
  throw BadInput(fmt::format("command: unknown '{}'{}; allowed: {}", first, did_you_mean(first, names), join(names)));
}

/// The words of the command line, with `help` and `help COMMAND` replaced by `--help` and `COMMAND --help`, and `keys
/// convert` by the command in Python.
std::vector<const char*> argument_words(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (words.size() > 1 && std::string_view{words[1]} == "help") {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  if (words.size() > 2 && std::string_view{words[1]} == "keys" && std::string_view{words[2]} == "convert") {
    words.erase(words.begin() + 1);
    words[1] = "convert-keys";
  }
  return words;
}

/// "sortlab bench", or "sortlab" if no command has been read.
std::string called(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? "sortlab" : "sortlab " + chosen.front()->get_name();
}

/// The message for an argument that CLI11 does not know, with the name of the nearest option.
std::string unexpected_argument(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  for (const std::string& argument : app.remaining(true)) {
    if (argument == "--") continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with('-')) {
      return fmt::format("argument: '{}' was not expected; `{} --help` shows what is allowed", argument, called(app));
    }
    std::vector<std::string> names = option_names(command);
    std::ranges::copy(option_names(app), std::back_inserter(names));
    return fmt::format("option: unknown '{}'{}; `{} --help` shows what is allowed", name, did_you_mean(name, names),
                       called(app));
  }
  return fmt::format("command line: not understood; `{} --help` shows what is allowed", called(app));
}

/// --plugin and related options. They are read before the command's own options, which may name such a sort.
void add_modules(CLI::App& app) {
  struct Options {
    std::vector<std::string> files;
    std::vector<std::string> loaded;
  };
  const auto options = std::make_shared<Options>();
  app.add_option("--plugin", options->files,
                 "A module with sorts, built by sortlab_add_algorithm of the CMake package; may be repeated. Files and "
                 "folders of SORTLAB_PLUGIN_PATH are loaded, too")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--loaded", options->loaded)->type_size(1)->allow_extra_args(false)->group("");
  app.parse_complete_callback([options] {
    std::ranges::for_each(options->loaded, load_same_module);
    if (!options->loaded.empty()) return;  // another process of a run, which loads the same modules as the first
    std::ranges::for_each(options->files, load_module);
    load_modules_of_path();
  });
}

/// Throws BadInput for a file or folder that is named by an empty text, as by a shell's variable that is not set, and
/// for an output named `-`, which is standard output elsewhere. `export` and `import` have their own parser.
void check_names(std::span<const char* const> words) {
  const bool takes_dash =
      std::ranges::any_of(words, [](std::string_view word) { return word == "export" || word == "import"; });
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word{words[i]};
    const bool is_before_dash = i + 1 < words.size() && std::string_view{words[i + 1]} == "-";
    const bool is_dash = word == "-o-" || word == "--out=-" || ((word == "-o" || word == "--out") && is_before_dash);
    if (is_dash && !takes_dash) {
      throw BadInput(
          "out: - names no file; to print records use --json, or /dev/stdout with run and merge; ./- is a file of that "
          "name");
    }
    for (const std::string_view name : {"-o", "--out", "--dump", "--for", "--machine", "--interleaved", "--input"}) {
      const bool is_next = word == name && i + 1 < words.size() && *words[i + 1] == '\0';
      const bool is_joined = word.size() == name.size() + 1 && word.starts_with(name) && word.back() == '=';
      if (!is_next && !is_joined) continue;
      throw BadInput(fmt::format("{}: is empty; name a file or a folder, or leave the option out", name));
    }
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{"Sortlab: runs, predicts and compares sorting algorithms", "sortlab"};
  app.set_version_flag("--version", "sortlab " + version());
  app.require_subcommand(1);
  app.fallthrough();  // --plugin may also follow the command
  app.footer("Example: sortlab list algorithms");
  int exit_status = 0;
  mark_environment();
  add_modules(app);
  add_list(app, exit_status);
  add_bench(app, exit_status);
  add_check_sort(app, exit_status);
  add_run(app, exit_status);
  add_tune(app, exit_status);
  add_worker(app, exit_status);
  add_count(app, exit_status);
  add_counted(app, exit_status);
  add_calibrate(app, exit_status);
  add_predict(app, exit_status);
  add_what_if(app, exit_status);
  add_validate(app, exit_status);
  add_compare(app, exit_status);
  add_machine(app);
  add_keys(app);
  add_recommend(app, exit_status);
  add_merge(app, exit_status);
  add_doctor(app, exit_status);
  add_loaded_libraries(app);
  add_python_commands(app);
  try {
    const std::vector<const char*> words = argument_words(argc, argv);
    const int count = static_cast<int>(words.size());
    check_names(words);
    run_python_command(count, words.data());
    check_command(app, count, words.data());
    app.parse(count, words.data());
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    const int status = app.exit(asked, text);
    print_now(text.str());
    return status;
  } catch (const CLI::ExtrasError&) {
    return complain(unexpected_argument(app), 2);
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; `{} --help` shows what is allowed", error.what(), called(app)), 2);
  } catch (const BadInput& error) {
    return complain(error.what(), 2);
  } catch (const std::filesystem::filesystem_error& error) {  // what() would name the library's function
    if (error.path1().empty()) return complain(error.code().message(), 2);
    return complain(fmt::format("{}: {}", error.path1().string(), error.code().message()), 2);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0) return complain(message_with_limits(error), 1);
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    keep_output_error(system == nullptr ? 0 : system->code().value());  // main() says it
    return 1;
  }
  return exit_status;
}

}  // namespace sortlab
