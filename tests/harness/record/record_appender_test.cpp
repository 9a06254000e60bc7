#include "harness/record/record_appender.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/parameters.hpp"
#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/whole_records.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

// The shortest example, since files are cut at each of its bytes.
const ordered_json kRecord = whole_record("published", {{"note", "grüße"}});

class Appending : public ::testing::Test {
 protected:
  std::string content() const { return read_file(path_).value_or(""); }
  void write(const std::string& text) const {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream{path_, std::ios::binary} << text;
  }

  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "deep" / "records.jsonl";
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
  other["note"] = "other";
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

// The file is cut at every byte of the second record: the first stays, the torn rest is removed, and appending
// continues.
TEST_F(Appending, CutsATornLineOffWhereverItWasTorn) {
  const std::string line = kRecord.dump() + "\n";
  for (std::size_t torn = 0; torn + 1 < line.size(); ++torn) {
    write(line + line.substr(0, torn));
    RecordAppender appender(path_);
    EXPECT_EQ(appender.before().size(), 1U) << torn;
    EXPECT_EQ(content(), line) << torn;
    EXPECT_EQ(join(appender.notes()), torn == 0 ? "" : "out: " + path_.string() + ": a torn last line was left out");
    appender.append(kRecord);
    EXPECT_EQ(content(), line + line) << torn;
  }
}

// A record without its line break stays, since a kill or a full disk may come between the two.
TEST_F(Appending, ALastRecordThatLacksOnlyItsLineBreakIsKept) {
  const std::string line = kRecord.dump() + "\n";
  for (const std::string& before : {std::string{}, line}) {
    write(before + kRecord.dump());
    EXPECT_EQ(read_records(path_).records.size(), before.empty() ? 1U : 2U);
    RecordAppender appender(path_);
    EXPECT_EQ(appender.before().size(), before.empty() ? 1U : 2U);
    EXPECT_EQ(join(appender.notes()), "");
    EXPECT_EQ(content(), before + line);
    appender.append(kRecord);
    EXPECT_EQ(content(), before + line + line);
  }
}

// Zeros that a file system may leave of a write after a power failure.
TEST_F(Appending, ZerosAtTheEndAreATornLine) {
  const std::string line = kRecord.dump() + "\n";
  for (const std::string& rest : {std::string{}, line.substr(0, 9), line.substr(0, line.size() - 1), line}) {
    for (const std::size_t zeros : {1, 4096}) {
      write(line + rest + std::string(zeros, '\0'));
      RecordAppender appender(path_);
      const bool whole = rest.size() + 1 >= line.size();
      EXPECT_EQ(appender.before().size(), whole ? 2U : 1U);
      EXPECT_EQ(content(), whole ? line + line : line);
      EXPECT_NE(join(appender.notes()).find("zeros at its end (" + std::to_string(zeros) + " B)"), std::string::npos);
    }
  }
  write(std::string(100, '\0'));
  { RecordAppender appender(path_); }
  EXPECT_EQ(content(), "");
  const std::string inside = line + std::string(3, '\0') + line;  // not at the end: not a line that was being written
  write(inside);
  EXPECT_THROW(RecordAppender{path_}, BadInput);
  EXPECT_EQ(content(), inside);
}

TEST_F(Appending, TextThatIsNoUtf8IsWrittenAsJson) {
  ordered_json record = kRecord;
  record["note"] = "a\xff";
  { RecordAppender(path_).append(record); }
  EXPECT_EQ(read_records(path_).records.at(0)["note"], "a\xef\xbf\xbd");
}

TEST_F(Appending, TextsThatAreTooLongForReadersAreCut) {
  ordered_json record = kRecord;
  record["note"] = std::string(10000, 'x');
  record["versus"] = std::string(3000, '\x1b');  // 12 000 characters as readers see them
  std::string umlauts;
  for (int i = 0; i < 4096; ++i) umlauts += "ü";
  record["distribution"] = umlauts;
  { RecordAppender(path_).append(record); }
  const ordered_json found = read_records(path_).records.at(0);
  EXPECT_EQ(found["note"].get<std::string>().size(), 4095U + std::string{"…"}.size());
  EXPECT_EQ(found["distribution"], umlauts);
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
  EXPECT_THROW(RecordAppender{folder_.path()}, WriteError);
}

TEST_F(Appending, AddsNothingToACompressedFile) {
  const std::string compressed =
      read_file(checkout_root() / "tests/data/odd_records/compressed_under_a_plain_name.jsonl").value();
  write(compressed);
  EXPECT_THROW(RecordAppender{path_}, BadInput);
  EXPECT_EQ(content(), compressed);
  EXPECT_THROW(RecordAppender{folder_ / "records.jsonl.gz"}, BadInput);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "records.jsonl.gz"));
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
