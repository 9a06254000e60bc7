#include "harness/machine/modules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "algorithms/module.hpp"
#include "core/build_digest.hpp"
#include "core/identity.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/visible_files.hpp"
#include "generators/distribution.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSymbol = "sortlab_module";

struct Module {
  fs::path file;                 ///< canonical
  std::vector<fs::path> images;  ///< the module and the libraries loaded for it
  std::string digest;
  const ModuleFacts* facts = nullptr;
};

std::vector<Module>& modules() {
  static std::vector<Module> loaded;
  return loaded;
}

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw BadInput(fmt::format("plugin: {}: {}", file.string(), why));
}

/// dlerror() without the file name at its begin, which the message states already.
std::string loader_error(const fs::path& file) {
  const char* text = dlerror();
  std::string error = text == nullptr ? "cannot be loaded" : text;
  const std::string prefix = file.string() + ": ";
  if (error.starts_with(prefix)) error.erase(0, prefix.size());
  return error;
}

/// Throws BadInput for a truncated file, such as one that is being copied. The loader maps it without checking its
/// length, and would die of a bus error.
void check_is_whole(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  ElfW(Ehdr) header{};
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!in || std::string_view{reinterpret_cast<const char*>(header.e_ident), SELFMAG} != ELFMAG) {
    refuse(file, "no shared library");
  }
  std::uintmax_t end = header.e_shoff + std::uintmax_t{header.e_shnum} * header.e_shentsize;
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    in.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!in) refuse(file, "torn: its end is missing");
    if (segment.p_type == PT_LOAD) end = std::max<std::uintmax_t>(end, segment.p_offset + segment.p_filesz);
  }
  std::error_code error;
  if (fs::file_size(file, error) < end) refuse(file, "torn: its end is missing");
}

const link_map* get_link_map(void* handle) {
  const link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : nullptr;
}

/// The libraries of this program itself. They are no part of a module, and the run's record lists them.
const std::set<std::string>& own_libraries() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const link_map* map = get_link_map(dlopen(nullptr, RTLD_LAZY)); map != nullptr; map = map->l_next)
      all.insert(map->l_name);
    return all;
  }();
  return names;
}

/// Appends the file of `map` and the files of the libraries that it needs, except the libraries of this program.
void add_libraries(const link_map* map, std::vector<fs::path>& files) {
  if (map == nullptr || own_libraries().contains(map->l_name) || std::ranges::find(files, map->l_name) != files.end())
    return;
  files.emplace_back(map->l_name);
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL && names != nullptr; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    if (void* needed = dlopen(names + entry->d_un.d_val, RTLD_LAZY | RTLD_NOLOAD)) {
      add_libraries(get_link_map(needed), files);
      dlclose(needed);  // only for this query
    }
  }
}

/// The module's build identity: the digest of its whole file, and so of everything linked into it, and of the libraries
/// loaded for it. (The digest of a plug-in in the tree is that of its object code, but the sort that a module calls may
/// be in another file.)
std::string module_digest(const Module& module) {
  std::string digests;
  for (const fs::path& path : module.images) {
    const std::optional<std::string> bytes = read_file(path);
    if (!bytes) refuse(path, "cannot be read");
    digests += digest_of_text(*bytes);
  }
  return digest_of_text(digests);
}

bool is_word(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// The reason the distributions of a module cannot be registered, or nullopt.
std::optional<std::string> find_fault_of_distributions(const ModuleFacts& facts) {
  std::set<std::string> names;
  for (const auto& distribution : facts.distributions()) {
    const std::string& name = distribution->info().name;
    if (!is_word(name)) {
      return fmt::format("DistributionInfo::name: '{}' is not allowed; allowed: letters, digits and '_'",
                         printable(name));
    }
    if (distribution->makes_records()) return fmt::format("{}: a distribution of a module makes no records", name);
    if (!names.insert(name).second) return fmt::format("has two distributions of the name '{}'", name);
    for (const Distribution* other : all_distributions()) {
      if (other->info().name == name) return fmt::format("the name '{}' is taken by another distribution", name);
    }
  }
  return std::nullopt;
}

/// The reason the sorts of a module cannot be registered, or nullopt.
std::optional<std::string> find_fault(const ModuleFacts& facts) {
  std::set<std::string> names;
  for (const auto& algorithm : facts.algorithms()) {
    const Info& info = algorithm->info();
    if (!is_word(info.name)) {
      return fmt::format("Info::name: '{}' is not allowed; allowed: letters, digits and '_'", printable(info.name));
    }
    if (info.keys.empty() || info.values.empty())
      return fmt::format("{}: Info::keys or Info::values: empty", info.name);
    if (!names.insert(info.name).second) return fmt::format("has two sorts of the name '{}'", info.name);
    for (const Algorithm* other : all_algorithms()) {
      if (other->info().name != info.name) continue;
      for (const Module& module : modules()) {
        if (std::ranges::find(module.facts->algorithms(), other, &std::unique_ptr<Algorithm>::get) !=
            module.facts->algorithms().end()) {
          return fmt::format("the name '{}' is taken by {}", info.name, module.file.string());
        }
      }
      return fmt::format("the name '{}' is taken by a sort of this program", info.name);
    }
  }
  if (names.empty() && facts.distributions().empty()) return "registers no sort and no distribution";
  for (const auto& component : facts.components()) {
    if (!names.contains(component->algorithm)) {
      return fmt::format("has a component of '{}', which is no sort of it", printable(component->algorithm));
    }
  }
  return std::nullopt;
}

/// Reads the module's description of itself, before any of its code is called.
const ModuleFacts& read_facts(void* handle, const fs::path& file) {
  const auto* facts = static_cast<const ModuleFacts*>(dlsym(handle, kSymbol));
  if (facts == nullptr) {
    refuse(file, fmt::format("has no symbol {}: no module of Sortlab; sortlab_add_algorithm of its CMake package makes "
                             "one",
                             kSymbol));
  }
  if (facts->contract != kContractVersion) {
    refuse(file, fmt::format("has version {} of the contract, and this program version {}: build it again against this "
                             "Sortlab",
                             facts->contract, kContractVersion));
  }
  if (facts->layout != contract_layout()) {
    refuse(file,
           "was compiled with other types of the contract or of the standard library: build it again against "
           "this Sortlab, with its compiler");
  }
  return *facts;
}

}  // namespace

void load_module(const std::string& given) {
  std::error_code error;
  const fs::path file = fs::canonical(given, error);
  if (error) refuse(given, error.message());
  if (!fs::is_regular_file(file, error)) refuse(given, "not a file");
  if (std::ranges::find(modules(), file, &Module::file) != modules().end()) return;
  check_is_whole(given);
  static_cast<void>(own_libraries());
  // Binds all symbols now and locally, so that a missing one is found here and not within a sort.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse(given, loader_error(file));
  Module module{.file = file, .images = {}, .digest = {}, .facts = &read_facts(handle, given)};
  if (const auto fault = find_fault(*module.facts)) refuse(given, *fault);
  if (const auto fault = find_fault_of_distributions(*module.facts)) refuse(given, *fault);
  add_libraries(get_link_map(handle), module.images);
  module.digest = module_digest(module);
  for (const auto& algorithm : module.facts->algorithms()) {
    adopt(*algorithm);
    const RegisterBuildDigest registered{algorithm->info().name, module.digest};
  }
  for (const auto& component : module.facts->components()) adopt(*component);
  for (const auto& distribution : module.facts->distributions()) {
    adopt(*distribution);
    const RegisterBuildDigest registered{distribution_digest_name(distribution->info().name), module.digest};
  }
  modules().push_back(std::move(module));
}

void load_modules_of_path() {
  const char* path = std::getenv("SORTLAB_PLUGIN_PATH");
  std::istringstream entries{path == nullptr ? "" : path};
  for (std::string entry; std::getline(entries, entry, ':');) {
    if (entry.empty()) continue;
    std::error_code error;
    if (!fs::exists(entry, error)) refuse(entry, "does not exist (SORTLAB_PLUGIN_PATH)");
    if (!fs::is_directory(entry, error)) {
      load_module(entry);
      continue;
    }
    for (const fs::path& file : visible_files(entry, ".so", FolderDepth::alone)) load_module(file.string());
  }
}

void load_same_module(const std::string& digest_and_file) {
  const std::size_t colon = digest_and_file.find(':');
  const std::string file = digest_and_file.substr(colon + 1);
  load_module(file);
  if (modules().back().digest != digest_and_file.substr(0, colon)) refuse(file, "has changed since the run began");
}

std::vector<std::string> arguments_for_modules() {
  std::vector<std::string> arguments;
  for (const Module& module : modules()) {
    if (module_digest(module) != module.digest) refuse(module.file, "has changed since the run began; start it again");
    arguments.insert(arguments.end(), {"--loaded", fmt::format("{}:{}", module.digest, module.file.string())});
  }
  return arguments;
}

nlohmann::ordered_json modules_record() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Module& module : modules()) {
    std::vector<std::string> names;
    for (const auto& algorithm : module.facts->algorithms()) names.push_back(algorithm->info().name);
    list.push_back({{"file", module.file.filename().string()},
                    {"digest", module.digest},
                    {"algorithms", names},
                    {"contract", module.facts->contract},
                    {"sortlab", module.facts->sortlab},
                    {"compiler", module.facts->compiler},
                    {"flags", module.facts->flags}});
    names.clear();
    for (const auto& distribution : module.facts->distributions()) names.push_back(distribution->info().name);
    if (!names.empty()) list.back()["distributions"] = names;
  }
  return list;
}

}  // namespace sortlab
