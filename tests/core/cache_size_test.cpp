#include "core/cache_size.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

void add_cache(const std::filesystem::path& folder, int level, const char* type, const char* size) {
  std::filesystem::create_directory(folder);
  std::ofstream{folder / "level"} << level << '\n';
  std::ofstream{folder / "type"} << type << '\n';
  if (size != nullptr) std::ofstream{folder / "size"} << size << '\n';
}

TEST(CacheSize, IsThatOfTheUnifiedSecondLevel) {
  const TemporaryFolder folder;
  add_cache(folder.path() / "index0", 1, "Data", "64K");
  add_cache(folder.path() / "index1", 2, "Instruction", "128K");
  add_cache(folder.path() / "index2", 2, "Unified", "2048K");
  add_cache(folder.path() / "index3", 3, "Unified", "36864K");
  EXPECT_EQ(l2_cache_bytes_in(folder.path()), 2 << 20);
}

// As on Arm where the firmware has no table of caches.
TEST(CacheSize, IsUnknownWhereTheSystemListsLevelsWithoutSizes) {
  const TemporaryFolder folder;
  add_cache(folder.path() / "index2", 2, "Unified", nullptr);
  EXPECT_EQ(l2_cache_bytes_in(folder.path()), std::nullopt);
  EXPECT_EQ(l2_cache_bytes_in(folder.path() / "none"), std::nullopt);
}

#if defined(_SC_LEVEL2_CACHE_SIZE)
TEST(CacheSize, IsWhatTheCLibraryKnows) {
  const long known = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (known <= 0) GTEST_SKIP() << "the C library does not know it";
  EXPECT_EQ(l2_cache_bytes(), known);
}
#endif

}  // namespace
}  // namespace sortlab
