// `sortlab keys`: descriptions of files of keys, and files of other formats as such.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "core/replace_file.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/parse.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/python_commands.hpp"
#include "harness/keys/describe.hpp"

namespace sortlab {
namespace {

struct DescribeOptions {
  KeyFileName file;
  std::string key;
  std::string out;
  bool json = false;
};

void describe(DescribeOptions& options) {
  if (!options.key.empty()) options.file.raw = parse_key_type(options.key);
  const KeyDescription description = describe_keys(options.file);
  const nlohmann::ordered_json json = to_json(description);
  print_now(options.json ? json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'
                         : description_text(description));
  if (options.out.empty()) return;
  const std::string path = (std::filesystem::path{options.out} / "keys.json").string();
  replace_file(path, json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  flush_standard_output();
  const std::vector<const char*> draw{"sortlab", "draw-keys", path.c_str(), "--out", options.out.c_str()};
  run_python_command(static_cast<int>(draw.size()), draw.data());
}

}  // namespace

void add_keys(CLI::App& app) {
  CLI::App* keys = app.add_subcommand("keys", "Describes a file of your own keys, or makes one of a table's column");
  keys->require_subcommand(1);
  keys->footer("Example: sortlab keys describe keys.npy --out report/keys");

  auto options = std::make_shared<DescribeOptions>();
  CLI::App* command = keys->add_subcommand("describe", "Range, entropy, duplicates and order of a file's keys");
  command->add_option("file", options->file.path, "A .npy file, or raw little-endian keys with --key")->required();
  command->add_option("--column", options->file.column, "The field of a structured .npy file");
  command->add_option("--key,-k", options->key, "Key type of a file of raw keys");
  command->add_option("--out", options->out, "Write keys.json and a picture to this folder");
  command->add_flag("--json", options->json, "Print JSON instead of lines for people");
  command->callback([options] { describe(*options); });

  // For the help alone: the command line is handed to Python before it is parsed (argument_words()).
  keys->add_subcommand("convert", "Writes a column of a Parquet, Arrow or CSV file as .npy");
}

}  // namespace sortlab
