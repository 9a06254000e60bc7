#include "core/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/huge_pages.hpp"

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

TEST(Pages, TellWhichShareOfThemIsHuge) {
  if (!huge_pages_are_given()) GTEST_SKIP() << "the kernel gives no transparent huge pages";
  const Pages small(std::size_t{4} << 20, PageKind::small), huge(std::size_t{4} << 20, PageKind::huge);
  const auto of_small = share_in_huge_pages(small.data(), small.size());
  if (!of_small) GTEST_SKIP() << "the kernel does not show them";
  EXPECT_EQ(*of_small, 0);
  // Neighbouring mappings of one kind are one for the kernel: others' pages must not count.
  const Pages other(std::size_t{4} << 20, PageKind::huge);
  EXPECT_GE(share_in_huge_pages(huge.data(), huge.size()).value_or(0), 0.99);
  EXPECT_LE(share_in_huge_pages(huge.data(), huge.size()).value_or(2), 1);
  EXPECT_EQ(share_in_huge_pages(nullptr, 4096), std::nullopt) << "nothing is mapped there";
}

TEST(Pages, AreCountedByTheOrderInWhichTheyAreMade) {
  if (!gives_huge_pages(huge_page_setting())) GTEST_SKIP() << "the kernel gives no transparent huge pages";
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  const std::uint64_t before = huge_mappings_made();
  const Pages huge(kBytes, PageKind::huge), small(kBytes, PageKind::small), few(4096, PageKind::huge);
  EXPECT_EQ(huge_mappings_made(), before + 1) << "the others request no huge pages";
  const MadeMappings first{before, before + 1};
  if (!share_in_huge_pages({&first, 1})) GTEST_SKIP() << "the kernel does not show them";
  EXPECT_GE(share_in_huge_pages({&first, 1}).value_or(0), 0.99);
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  std::optional<Pages> refused{std::in_place, kBytes, PageKind::huge};
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  const MadeMappings second{before + 1, before + 2}, both{before, before + 2};
  EXPECT_EQ(share_in_huge_pages({&second, 1}), 0);
  EXPECT_NEAR(share_in_huge_pages({&both, 1}).value_or(0), 0.5, 0.01);
  Pages moved = std::move(*refused);
  EXPECT_EQ(share_in_huge_pages({&second, 1}), 0) << "a mapping that has moved is still there";
  moved = Pages{};
  EXPECT_EQ(share_in_huge_pages({&second, 1}), std::nullopt);
  EXPECT_GE(share_in_huge_pages({&both, 1}).value_or(0), 0.99);
}

}  // namespace
}  // namespace sortlab
