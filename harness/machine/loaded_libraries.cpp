#include "harness/machine/loaded_libraries.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/child_process.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/sha256.hpp"
#include "harness/machine/modules.hpp"

namespace sortlab {
namespace {

using Libraries = std::map<std::string, std::string>;

std::uintptr_t rounded_up(std::uintptr_t offset, std::uintptr_t to) {
  return (offset + to - 1) / to * to;
}

/// The build id in a segment of notes, in hexadecimal digits, or an empty text.
std::string find_build_id(const dl_phdr_info& image, const ElfW(Phdr) & notes) {
  const auto* const begin = reinterpret_cast<const std::byte*>(image.dlpi_addr + notes.p_vaddr);
  const std::uintptr_t alignment = notes.p_align == 8 ? 8 : 4;
  for (std::uintptr_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.p_memsz;) {
    ElfW(Nhdr) note{};
    std::memcpy(&note, begin + at, sizeof note);
    const std::uintptr_t name = at + sizeof note;
    const std::uintptr_t content = rounded_up(name + note.n_namesz, alignment);
    const std::uintptr_t end = content + note.n_descsz;
    if (content < name || end < content || end > notes.p_memsz) return "";
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(begin + name, "GNU", 4) == 0) {
      std::string digits;
      for (std::uintptr_t i = content; i < end; ++i) digits += fmt::format("{:02x}", std::to_integer<int>(begin[i]));
      return digits;
    }
    at = rounded_up(end, alignment);
  }
  return "";
}

/// The name in a library's dynamic section, or that of its file.
std::string find_name(const dl_phdr_info& image) {
  const std::string file{image.dlpi_name};
  const char* texts = nullptr;
  const ElfW(Dyn)* soname = nullptr;
  for (int i = 0; i < image.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = image.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(image.dlpi_addr + segment.p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) texts = reinterpret_cast<const char*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_SONAME) soname = entry;
    }
  }
  if (texts != nullptr && soname != nullptr) return texts + soname->d_un.d_val;
  return file.substr(file.rfind('/') + 1);
}

int add_library(dl_phdr_info* image, std::size_t, void* libraries) {
  if (image->dlpi_name == nullptr || std::strchr(image->dlpi_name, '/') == nullptr) return 0;
  std::string build;
  for (int i = 0; i < image->dlpi_phnum && build.empty(); ++i) {
    if (image->dlpi_phdr[i].p_type == PT_NOTE) build = find_build_id(*image, image->dlpi_phdr[i]);
  }
  if (build.empty()) {
    const auto bytes = read_file(image->dlpi_name);
    build = bytes ? sha256_hex(*bytes) : "unknown";
  }
  static_cast<Libraries*>(libraries)->insert_or_assign(printable(find_name(*image)).substr(0, 255), build);
  return 0;
}

}  // namespace

Libraries loaded_libraries() {
  Libraries libraries;
  dl_iterate_phdr(add_library, &libraries);
  return libraries;
}

std::set<std::string> different_libraries(const Libraries& a, const Libraries& b) {
  std::set<std::string> names;
  for (const auto& [name, build] : a) {
    if (const auto other = b.find(name); other != b.end() && other->second != build) names.insert(name);
  }
  return names;
}

std::set<std::string> libraries_of_library_path() {
  constexpr const char* variable = "LD_LIBRARY_PATH";
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  std::vector<std::string> words = arguments_for_modules();
  words.insert(words.begin(), "/proc/self/exe");
  words.emplace_back(kLibrariesCommand);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  Libraries without;
  try {
    const ChildOutput output = run_child(
        {.words = std::move(words), .passes = [](std::string_view name) { return name != variable; }},
        [&] { return std::chrono::steady_clock::now() >= until; }, std::chrono::milliseconds{0});
    if (output.status != 0) return {};
    const std::size_t line = output.text.rfind('{');  // the loader may have complained before
    if (line == std::string::npos) return {};
    without = nlohmann::json::parse(output.text.substr(line)).get<Libraries>();
  } catch (const std::system_error&) {
    return {};
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return different_libraries(loaded_libraries(), without);
}

}  // namespace sortlab
