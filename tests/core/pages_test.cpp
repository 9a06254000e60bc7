#include "core/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
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

}  // namespace
}  // namespace sortlab
