#include "core/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace sortlab {
namespace {

std::size_t pages_missing(const Pages& pages) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((pages.size() + page - 1) / page);
  if (mincore(pages.data(), pages.size(), resident.data()) != 0) return resident.size();
  return static_cast<std::size_t>(std::ranges::count_if(resident, [](unsigned char r) { return (r & 1) == 0; }));
}

// Beyond 128 MiB several threads touch them.
TEST(Pages, AreAllTouchedAndZeroWhateverTheirSize) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100'000}, (std::size_t{3} << 20) + 5,
                                  (std::size_t{128} << 20) - 1, (std::size_t{200} << 20) + 4097}) {
    for (const PageKind kind : {PageKind::small, PageKind::huge}) {
      const Pages pages(bytes, kind);
      EXPECT_EQ(pages.size(), bytes);
      EXPECT_EQ(pages_missing(pages), 0U) << bytes;
      EXPECT_EQ(pages.data()[0], std::byte{0});
      EXPECT_EQ(pages.data()[bytes - 1], std::byte{0});
    }
  }
}

/// The kernel's flags of the mapping that holds an address, as in /proc/PID/smaps.
std::string mapping_flags(const void* address) {
  std::ifstream file{"/proc/self/smaps"};
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
      inside = reinterpret_cast<std::uintptr_t>(address) >= begin && reinterpret_cast<std::uintptr_t>(address) < end;
    }
    if (inside && line.starts_with("VmFlags:")) return line + " ";
  }
  return {};
}

TEST(Pages, AskTheKernelForTheirKind) {
  if (!huge_pages_are_given()) GTEST_SKIP() << "the kernel gives no transparent huge pages";
  const Pages small(std::size_t{4} << 20, PageKind::small), huge(std::size_t{4} << 20, PageKind::huge);
  if (mapping_flags(small.data()).empty()) GTEST_SKIP() << "the kernel shows no flags of mappings";
  EXPECT_NE(mapping_flags(small.data()).find(" nh "), std::string::npos);
  EXPECT_NE(mapping_flags(huge.data()).find(" hg "), std::string::npos);
}

}  // namespace
}  // namespace sortlab
