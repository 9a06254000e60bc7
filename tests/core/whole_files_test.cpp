// Parsing of odd JSON, and replacement of files.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/parse_json.hpp"
#include "core/read_file.hpp"
#include "core/replace_file.hpp"
#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

mode_t read_mode(const fs::path& path) {
  struct stat facts {};
  stat(path.c_str(), &facts);
  return facts.st_mode & 07777;
}

TEST(ReplaceFile, KeepsTheModeAndFollowsLinks) {
  const TemporaryFolder folder;
  const fs::path file = folder / "inner" / "file";
  fs::create_directories(file.parent_path());
  std::ofstream{file} << "old";
  chmod(file.c_str(), 0600);
  fs::create_symlink("inner/file", folder / "link");
  replace_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(file), "new");
  EXPECT_EQ(read_mode(file), 0600U);
}

TEST(ReplaceFile, WritesAFileOfSeveralNamesForAllOfThem) {
  const TemporaryFolder folder;
  std::ofstream{folder / "file"} << "a longer text";
  fs::create_hard_link(folder / "file", folder / "other");
  fs::create_symlink("file", folder / "link");
  for (const char* name : {"file", "other", "link"}) {
    replace_file(folder / name, std::string{"by "} + name);
    for (const char* read : {"file", "other", "link"}) EXPECT_EQ(read_file(folder / read), std::string{"by "} + name);
  }
  EXPECT_EQ(fs::hard_link_count(folder / "file"), 2U);
  EXPECT_EQ(std::distance(fs::directory_iterator{folder.path()}, {}), 3);
}

TEST(ReplaceFile, MakesTheFoldersAndTheTargetOfALink) {
  const TemporaryFolder folder;
  replace_file(folder / "a" / "b" / "c", "text");
  EXPECT_EQ(read_file(folder / "a" / "b" / "c"), "text");
  fs::create_symlink("none/file", folder / "link");
  replace_file(folder / "link", "text");
  EXPECT_EQ(read_file(folder / "none" / "file"), "text");
}

TEST(ReplaceFile, RefusesAFolderALoopAndAFullDeviceWithTheReason) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  const std::vector<std::pair<fs::path, std::string>> cases{{folder.path(), "Is a directory"},
                                                            {folder / "loop", "Too many levels of symbolic links"},
                                                            {"/dev/full", "No space left on device"},
                                                            {"/dev/null/file", "Not a directory"}};
  for (const auto& [path, reason] : cases) {
    try {
      replace_file(path, "text");
      ADD_FAILURE() << path;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string{error.what()}.find(reason), std::string::npos) << error.what();
    }
  }
  EXPECT_NO_THROW(replace_file("/dev/null", "text"));
}

TEST(ParseJson, RefusesAKeyTwiceWithItsPlace) {
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {R"({"a": 1, "a": 2})", "a"}, {R"({"b": [0, {"c": 1, "\u0063": 2}]})", "b[1].c"}}) {
    try {
      parse_json(text);
      ADD_FAILURE() << text;
    } catch (const JsonError& error) {
      EXPECT_EQ(error.what(), place + ": is there twice; allowed: once");
    }
  }
  EXPECT_NO_THROW(parse_json(R"([{"a": 1}, {"a": 2}, {"a": {"a": 3}}])"));
}

TEST(ParseJson, ShowsHalfASurrogatePairAsItIsWritten) {
  EXPECT_EQ(parse_json(R"("\ud800")"), "\\ud800");
  EXPECT_EQ(parse_json(R"("\uDC00\ud83d\ude00\ud83d")"), "\\uDC00\U0001F600\\ud83d");
  EXPECT_EQ(parse_json(R"("\\ud800 \\\ud800")"), "\\ud800 \\\\ud800");
  EXPECT_THROW(parse_json(R"("\ud8")"), JsonError);
}

TEST(ParseJson, TakesOffAByteOrderMark) {
  EXPECT_EQ(without_mark("\xef\xbb\xbf{}"), "{}");
  EXPECT_EQ(without_mark("{}"), "{}");
  EXPECT_EQ(without_mark("\xef\xbb"), "\xef\xbb");
}

}  // namespace
}  // namespace sortlab
