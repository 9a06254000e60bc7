#include "core/visible_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

TEST(VisibleFiles, AreThoseWithTheEndingThatNoSystemHasHidden) {
  const TemporaryFolder folder;
  for (const char* name : {"b", ".snapshot", "c.jsonl"}) fs::create_directories(folder / name);
  for (const char* name : {"b.jsonl", "a.jsonl", "._a.jsonl", "a.json", "b/d.jsonl", ".snapshot/a.jsonl"}) {
    std::ofstream{folder / name} << "{}\n";
  }
  fs::create_symlink("nothing", folder / "e.jsonl");
  const auto names = [&](FolderDepth depth) {
    std::vector<std::string> found;
    for (const fs::path& file : visible_files(folder.path(), ".jsonl", depth)) {
      found.push_back(file.lexically_relative(folder.path()).string());
    }
    return found;
  };
  EXPECT_EQ(names(FolderDepth::alone), (std::vector<std::string>{"a.jsonl", "b.jsonl", "e.jsonl"}));
  EXPECT_EQ(names(FolderDepth::with_subfolders),
            (std::vector<std::string>{"a.jsonl", "b/d.jsonl", "b.jsonl", "e.jsonl"}));
  EXPECT_TRUE(visible_files(folder / "missing", ".jsonl", FolderDepth::with_subfolders).empty());
}

}  // namespace
}  // namespace sortlab
