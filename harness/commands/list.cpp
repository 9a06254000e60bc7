#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/parameters.hpp"
#include "core/printable.hpp"
#include "harness/commands/catalogue.hpp"
#include "harness/commands/commands.hpp"
#include "harness/predict/known_profiles.hpp"
#include "harness/record/algorithm_record.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Text of a table cell: the words of a list, yes or no, the text itself, or a dash for nothing.
std::string shown(const ordered_json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get_ref<const std::string&>().empty() ? "-" : value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> words;
  for (const ordered_json& item : value) words.push_back(shown(item));
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, " "));
}

std::string range_text(const ordered_json& parameter) {
  if (parameter.contains("text")) return "a text";
  if (!parameter.contains("range")) return shown(parameter["choices"]);
  return fmt::format("{} to {}", parameter["range"][0].dump(), parameter["range"][1].dump());
}

/// The name of a profile that is given as `--machine` takes it.
std::string profile_name(const std::string& given) {
  const std::filesystem::path file = profile_file(given);
  for (const KnownProfile& known : known_profiles()) {
    if (std::filesystem::equivalent(known.file, file)) return known.name;
  }
  throw BadInput(fmt::format("list machines: '{}' is no profile in models/machines or results", given));
}

/// The names of a list of parameters: "digit_bits form".
std::string name_list(const ordered_json& parameters) {
  std::vector<std::string> names;
  for (const ordered_json& parameter : parameters) names.push_back(shown(parameter["name"]));
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, " "));
}

struct Kind {
  const char* name;
  ordered_json (*catalogue)();
  std::vector<std::pair<const char*, const char*>> columns;  ///< heading, member
  int naming = 1;                                            ///< number of first columns that name an entry
  ordered_json (*details)(const std::string& name) =
      nullptr;  ///< additional members, shown if a single entry is requested
  std::string (*find)(const std::string& given) = nullptr;  ///< the name of the entry that is given otherwise
};

const std::array kKinds{
    Kind{"algorithms",
         &algorithm_catalogue,
         {{"name", "name"},
          {"runs here", "runs_here"},
          {"threads", "parallel"},
          {"stable", "stable"},
          {"keys", "keys"},
          {"values", "values"},
          {"parameters", "parameters"},
          {"title", "title"}}},
    Kind{"components",
         &component_catalogue,
         {{"algorithm", "algorithm"},
          {"name", "name"},
          {"runs here", "runs_here"},
          {"title", "title"},
          {"postcondition", "postcondition"},
          {"source", "source"}},
         2},
    Kind{"distributions",
         &distribution_catalogue,
         {{"name", "name"}, {"parameters", "parameters"}, {"title", "title"}, {"source", "source"}}},
    Kind{"models",
         &model_catalogue,
         {{"name", "name"},
          {"predicts", "algorithms"},
          {"kind", "model_kind"},
          {"family", "family"},
          {"source", "source"}},
         1,
         &model_details},
    Kind{"configs", &config_catalogue, {{"name", "name"}, {"path", "path"}, {"title", "title"}, {"error", "error"}}},
    Kind{"machines",
         &machine_catalogue,
         {{"profile", "profile"},
          {"here", "here"},
          {"origin", "origin"},
          {"date", "date"},
          {"commit", "commit"},
          {"GPU", "gpu"},
          {"machine", "id"},
          {"path", "path"},
          {"name", "name"},
          {"error", "error"}},
         1,
         nullptr,
         &profile_name},
};

const Kind& kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  throw BadInput(fmt::format("list: '{}' is unknown{}; allowed: {}", name, did_you_mean(name, names), join(names)));
}

void print_table(const Kind& kind, const ordered_json& list) {
  std::vector<std::string> header;
  for (const auto& [heading, member] : kind.columns) header.emplace_back(heading);
  std::vector<std::vector<std::string>> rows;
  for (const ordered_json& entry : list) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const auto& [heading, member] : kind.columns) {
      const std::string name = member;
      const ordered_json value = entry.value(name, ordered_json(nullptr));
      if (name == "parameters") {
        row.push_back(name_list(value));
      } else if (name == "runs_here" && !value.get<bool>()) {
        row.push_back("no: " + shown(entry["reason"]));
      } else if (name == "parallel") {
        row.emplace_back(value.get<bool>() ? "many" : "1");
      } else {
        row.push_back(name == "error" && value.is_null() ? "" : shown(value));
      }
    }
  }
  const FittedTable fitted = fitted_table(std::move(header), std::move(rows), static_cast<std::size_t>(kind.naming),
                                          table_width(STDOUT_FILENO));
  fmt::print("{}", fitted.text);
  if (fitted.left_out.empty()) return;
  tell(fmt::format("columns left out to fit the terminal: {}; everything about one: sortlab list {} {}",
                   join(fitted.left_out), kind.name, kind.naming > 1 ? "ALGORITHM/NAME" : "NAME"));
}

/// Prints lines such as "tile.rank_match (component): digit_bits, key_bytes, value_bytes, entropy".
void print_tables(const ordered_json& tables) {
  if (tables.empty()) fmt::print("{:<18}none: no profile here has what it needs\n", "reads");
  for (const ordered_json& read : tables) {
    std::vector<std::string> arguments;
    for (const auto& [name, asked] : read["arguments"].items()) arguments.push_back(name);
    fmt::print("{:<18}{} ({}){}{}\n", "reads", shown(read["name"]), shown(read["kind"]), arguments.empty() ? "" : ": ",
               fmt::join(arguments, ", "));
  }
}

/// Prints all facts of one entry, one per line, with a line for each of its parameters and tables.
void print_entry(const ordered_json& entry) {
  for (const auto& [name, value] : entry.items()) {
    if (name == "tables") {
      print_tables(value);
    } else if (name == "presets" || name == "roles") {
      for (const auto& [named, given] : value.items()) {
        std::vector<std::string> settings;
        for (const auto& [parameter, setting] : given.items()) {
          settings.push_back(fmt::format("{}={}", parameter, shown(setting)));
        }
        fmt::print("{:<18}{}: {}\n", name == "roles" ? "role" : "preset", named, fmt::join(settings, " "));
      }
    } else if (name != "parameters") {
      fmt::print("{:<18}{}\n", name, shown(value));
    } else {
      for (const ordered_json& parameter : value) {
        fmt::print("{:<18}{}={} ({}): {}\n", "parameter", shown(parameter["name"]), shown(parameter["default"]),
                   range_text(parameter), shown(parameter["meaning"]));
      }
    }
  }
}

/// The name of an entry; for a component, "my_sort/presort".
std::string component_label(const Kind& kind, const ordered_json& entry) {
  std::string name = shown(entry[kind.columns.front().second]);
  for (int i = 1; i < kind.naming; ++i) name += "/" + shown(entry[kind.columns[i].second]);
  return name;
}

/// The entry of `list` with this name. Throws BadInput with the nearest name.
const ordered_json& entry_named(const Kind& kind, const ordered_json& list, const std::string& name) {
  std::vector<std::string> names;
  for (const ordered_json& entry : list) {
    names.push_back(component_label(kind, entry));
    if (names.back() == name) return entry;
  }
  throw BadInput(
      fmt::format("list {}: no '{}'{}; allowed: {}", kind.name, name, did_you_mean(name, names), join(names)));
}

/// Prints the `algorithm` records that a run would write, for kept records from before runs wrote them.
void print_records(const Kind& kind, const std::string& name) {
  if (kind.catalogue != &algorithm_catalogue) throw BadInput("list: --records applies only to algorithms");
  for (const Algorithm* algorithm : all_algorithms()) {
    if (name.empty() || algorithm == &algorithm_named(name)) {
      fmt::print("{}\n", algorithm_record(algorithm->info()).dump());
    }
  }
}

}  // namespace

void add_list(CLI::App& app, int& /*exit_status*/) {
  struct Options {
    std::string what;
    std::string name;
    bool json = false;
    bool records = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "list", "Shows what there is: algorithms, components, distributions, models, configs, machines");
  command->add_option("WHAT", options->what, "One of algorithms, components, distributions, models, configs, machines")
      ->required();
  command->add_option("NAME", options->name, "One of them: show everything known about it");
  command->add_flag("--json", options->json, "One JSON array with everything known about each");
  command->add_flag("--records", options->records,
                    "For algorithms: the records that a run writes about them, one per line");
  command->footer("Example: sortlab list algorithms my_sort");
  command->callback([options] {
    const Kind& kind = kind_named(options->what);
    if (options->records) return print_records(kind, options->name);
    ordered_json list = kind.catalogue();
    if (!options->name.empty()) {
      const std::string name = kind.find != nullptr ? kind.find(options->name) : options->name;
      list = ordered_json::array({entry_named(kind, list, name)});
      if (kind.details != nullptr) list.front().update(kind.details(options->name));
    }
    if (options->json) {
      fmt::print("{}\n", list.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    } else if (list.empty()) {
      fmt::print("no {} yet\n", kind.name);
    } else if (!options->name.empty()) {
      print_entry(list.front());
    } else {
      print_table(kind, list);
    }
  });
}

}  // namespace sortlab
