// Huge pages that the system gives to this process, and those that Pages (core/pages.hpp) has got.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sortlab {

/// The system's setting of transparent huge pages now: "always", "madvise" or "never"; "disabled" if they are forbidden
/// to this process; empty if the system does not tell.
std::string huge_page_setting();

/// True if the kernel gives huge pages to memory that requests them under this setting.
bool gives_huge_pages(std::string_view setting);

/// Numbers of mappings of Pages that requested huge pages, in the order in which they were made: from `first` up to but
/// excluding `last`.
struct MadeMappings {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// The number of such mappings that were made so far, by all threads.
std::uint64_t huge_mappings_made();

/// The share of these mappings that lies in huge pages, by bytes, of those that still exist; nothing if none does, or
/// where the system does not tell. Reads /proc/self/smaps, which takes milliseconds where much is mapped.
std::optional<double> share_in_huge_pages(std::span<const MadeMappings> made);

}  // namespace sortlab
