#include "harness/record/record_appender.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/parameters.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

const ordered_json kRecord{{"schema", 1}, {"kind", "measurement"}, {"text", "grüße"}};

class Appending : public ::testing::Test {
 protected:
  Appending() {
    folder_ = std::filesystem::path{::testing::TempDir()} /
              (std::string{"appending_"} + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    path_ = folder_ / "deep" / "records.jsonl";
  }
  ~Appending() override { std::filesystem::remove_all(folder_); }

  std::string content() const {
    std::ifstream file{path_, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  void write(const std::string& text) const {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream{path_, std::ios::binary} << text;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

TEST_F(Appending, MakesFoldersAppendsLinesAndReadsThemBack) {
  { RecordAppender(path_).append(kRecord); }
  RecordAppender again(path_);
  EXPECT_EQ(again.before().size(), 1U);
  again.append(kRecord);
  EXPECT_EQ(content(), kRecord.dump() + "\n" + kRecord.dump() + "\n");
}

TEST_F(Appending, OnceMeansOnceInAFile) {
  ordered_json other = kRecord;
  other["text"] = "other";
  {
    RecordAppender first(path_);
    first.append_once(kRecord);
    first.append_once(kRecord);
  }
  RecordAppender again(path_);
  again.append_once(kRecord);
  again.append_once(other);
  EXPECT_EQ(content(), kRecord.dump() + "\n" + other.dump() + "\n");
}

// Cut at every byte of the second record: the first stays, the torn rest goes, and appending goes on after it.
TEST_F(Appending, CutsATornLineOffWhereverItWasTorn) {
  const std::string line = kRecord.dump() + "\n";
  for (std::size_t torn = 0; torn < line.size(); ++torn) {
    write(line + line.substr(0, torn));
    RecordAppender appender(path_);
    // A last line that lacks only its end is a whole record to a reader, but nothing may be appended to it.
    EXPECT_EQ(content(), line) << torn;
    appender.append(kRecord);
    EXPECT_EQ(content(), line + line) << torn;
  }
}

TEST_F(Appending, ATornFirstLineLeavesAnEmptyFile) {
  write(kRecord.dump().substr(0, 10));
  RecordAppender appender(path_);
  EXPECT_EQ(content(), "");
}

TEST_F(Appending, RefusesAFileOfAnotherKindAndLeavesItAlone) {
  for (const char* text : {"# Notes\n", "a note without an end", "{\"schema\":1}\n",
                           "\x7f"
                           "ELF\x01"}) {
    write(text);
    EXPECT_THROW(RecordAppender{path_}, BadInput) << text;
    EXPECT_EQ(content(), text);
  }
  EXPECT_THROW(RecordAppender{folder_}, WriteError);
}

TEST_F(Appending, OneRunAtATime) {
  RecordAppender first(path_);
  EXPECT_THROW(RecordAppender{path_}, BadInput);
  first.append(kRecord);
}

TEST_F(Appending, AFullDeviceIsAnError) {
  RecordAppender full("/dev/full");
  EXPECT_THROW(full.append(kRecord), WriteError);
}

}  // namespace
}  // namespace sortlab
