#include "harness/record/record_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "core/parameters.hpp"
#include "core/temporary_folder.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/record/json_schema.hpp"
#include "tests/support/whole_records.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

class RecordReader : public ::testing::Test {
 protected:
  std::filesystem::path write(std::string_view text) const {
    std::ofstream{path_, std::ios::binary} << text;
    return path_;
  }
  std::string complaint(std::string_view text) const {
    try {
      read_records(write(text));
    } catch (const BadInput& error) {
      return error.what();
    }
    return "";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("record_reader_test_" + std::to_string(getpid()) + ".jsonl");
};

const std::string kGood = whole_record("published").dump() + "\n";

TEST_F(RecordReader, ReadsTheExamples) {
  const RecordFile file = read_records(checkout_root() / "tests/data/example_records.jsonl");
  EXPECT_EQ(file.records.size(), 5U);
  EXPECT_FALSE(file.torn);
  EXPECT_EQ(file.records.at(1).at("status"), "ok");
}

TEST_F(RecordReader, LeavesOutATornLastLine) {
  const std::string whole = kGood + kGood;
  for (std::size_t cut = kGood.size() + 1; cut + 2 < whole.size(); ++cut) {
    const RecordFile file = read_records(write(whole.substr(0, cut)));
    EXPECT_TRUE(file.torn) << cut;
    EXPECT_EQ(file.records.size(), 1U) << cut;
  }
}

TEST_F(RecordReader, LeavesOutZerosAtTheEnd) {
  const RecordFile file = read_records(write(kGood + R"({"sch)" + std::string(8, '\0')));
  EXPECT_EQ(file.records.size(), 1U);
  EXPECT_TRUE(file.torn);
  EXPECT_EQ(file.end_note, "a torn last line and zeros at its end (8 B) were left out");
  EXPECT_EQ(file.whole_bytes, kGood.size());
}

TEST_F(RecordReader, HoldsTheMembersOfAMeasurementToTheSchema) {
  const std::string where = path_.string() + ":1: ";
  const auto wrong = [&](const char* name, const ordered_json& value) {
    const std::string said = complaint(whole_record("measurement", {{name, value}}).dump() + "\n");
    return said.starts_with(where) ? said.substr(where.size()) : said;
  };
  const auto without = [&](const char* name) {
    ordered_json record = whole_record("measurement");
    record.erase(name);
    return complaint(record.dump() + "\n");
  };
  EXPECT_EQ(wrong("clock_source", "another"), "");
  EXPECT_EQ(wrong("status", 5), "status: must be one of ok, wrong, failed, crashed, timeout, skipped");
  EXPECT_EQ(wrong("status", "fine"), "status: must be one of ok, wrong, failed, crashed, timeout, skipped");
  EXPECT_EQ(wrong("key", {"a"}), "key: must be a text like ^[0-9a-f]{16}$");
  EXPECT_EQ(wrong("case", nullptr), "case: must be an object");
  EXPECT_EQ(wrong("median_s", "1"), "median_s: must be a finite number above 0");
  EXPECT_EQ(wrong("samples_s", {1, 0}), "samples_s[1]: must be a finite number above 0");
  EXPECT_EQ(wrong("samples_s", ordered_json::array()), "samples_s: must be a list, not empty");
  EXPECT_EQ(wrong("reason", "none"), "reason: must be null");
  EXPECT_EQ(wrong("invented", 1), "invented: must not be there");
  EXPECT_EQ(wrong("phases", {{{"name", "a"}, {"pass", 0}}}), "phases[0].median_s: is missing");
  EXPECT_EQ(without("machine"), where + "machine: is missing");
  EXPECT_EQ(without("median_s"), where + "median_s: is missing");
  EXPECT_EQ(complaint(R"({"schema":1,"kind":"measurement","median_s":1e999})"
                      "\n"),
            where + "median_s: a number of 5 characters is too large; allowed: -1.8e308 to 1.8e308");
}

TEST_F(RecordReader, RefusesRecordsThatContradictThemselves) {
  const auto fault = [&](const ordered_json& members) {
    return complaint(whole_record("measurement", members).dump() + "\n");
  };
  const std::string where = path_.string() + ":1: ";
  EXPECT_EQ(fault({{"clock_source", "another"}}), "");
  EXPECT_EQ(fault({{"mean_s", 0.0052}}), where + "mean_s: must be the mean of samples_s");
  EXPECT_EQ(fault({{"min_s", 0.0049}}), where + "min_s: must be the least of samples_s");
  EXPECT_EQ(fault({{"median_s", 0.0052}}), where + "median_s: must be the median of samples_s");
  EXPECT_EQ(fault({{"bytes_per_s", 1e9}}),
            where + "bytes_per_s: must be twice the bytes of keys and values over median_s");
  EXPECT_EQ(fault({{"cpe_wall", 16.5}}), where + "cpe_wall: must be clock_hz times median_s over n");
  EXPECT_EQ(fault({{"cpe_core", nullptr}}),
            where + "cpe_core: must be processors times clock_hz times median_s over n");
  EXPECT_EQ(fault({{"clock_hz", nullptr}}),
            where + "cpe_wall: must be null where there are no elements or no clock_hz");
  EXPECT_EQ(fault({{"median_s", 1}}), where + "ci95_s: must be two positive times around median_s");
  EXPECT_EQ(fault({{"processes", {0}}}), where + "processes: must have a number for each of the 5 samples, not 1");
  EXPECT_EQ(fault({{"inputs", {0, 1}}}), where + "inputs: must have a number for each of the 5 samples, not 2");
  EXPECT_EQ(fault({{"keys_per_s", 2e8}}), where + "keys_per_s: must be n over median_s");
  ordered_json verification = whole_record("measurement").at("verification");
  verification["samples"] = 6;
  EXPECT_EQ(fault({{"verification", verification}}),
            where + "verification.samples: must be 5, the number of samples_s, not 6");
  EXPECT_EQ(complaint(whole_record("published", {{"value", nullptr}}).dump() + "\n"), where + "value: must be given");
}

TEST_F(RecordReader, RefusesRecordsThatContradictEarlierOnes) {
  const ordered_json run = whole_record("run");
  const ordered_json first = whole_record("measurement", {{"run", run["run"]}, {"machine", run["machine"]["id"]}});
  const auto fault = [&](const ordered_json& second) {
    return complaint(run.dump() + "\n" + first.dump() + "\n" + second.dump() + "\n");
  };
  const std::string where = path_.string() + ":3: ";
  EXPECT_EQ(fault(first), "") << "a copy";
  ordered_json other = first;
  other["clock_source"] = "another";
  EXPECT_EQ(fault(other), where + "key: must be there once in a run; line 2 has it with other values");
  other["run"] = run_for("another");
  EXPECT_EQ(fault(other), "");
  other["case"]["seed"] = 77;
  EXPECT_EQ(fault(other), where + "cell: must be " + cell_id(other["case"]) + ", which follows from the case");
  EXPECT_EQ(fault(in_its_cell(other)), "");
  other = first;
  other["key"] = digest_for("another");
  other["machine"] = "another-2c-00000000";
  EXPECT_EQ(fault(other),
            where + "machine: must be " + run["machine"]["id"].get<std::string>() + ", that of its run on line 1");
}

TEST(JsonSchema, RefusesKeywordsThatItDoesNotCheck) {
  EXPECT_THROW(JsonSchema{ordered_json::parse(R"({"multipleOf":2})")}, std::logic_error);
  EXPECT_THROW(JsonSchema{ordered_json::parse(R"({"properties":{"a":{"minProperties":2}}})")}, std::logic_error);
  EXPECT_THROW(JsonSchema{ordered_json::parse(R"({"$defs":{"a":{"format":"email"}}})")}, std::logic_error);
}

TEST(JsonSchema, JudgesNumbersExactly) {
  const JsonSchema count{ordered_json::parse(R"({"type":"integer","minimum":0,"maximum":9223372036854775807})")};
  for (const char* whole : {"0", "-0", "1000.0", "1e3", "9007199254740993", "9223372036854775807"}) {
    EXPECT_EQ(count.fault(ordered_json::parse(whole)), std::nullopt) << whole;
  }
  for (const char* other : {"9223372036854775808", "9.223372036854775808e18", "1e19", "-1", "0.5", "true", "\"1\""}) {
    EXPECT_NE(count.fault(ordered_json::parse(other)), std::nullopt) << other;
  }
}

TEST(JsonSchema, CountsTheCharactersThatAReaderSees) {
  const JsonSchema name{ordered_json::parse(R"({"type":"string","maxLength":4})")};
  EXPECT_EQ(name.fault("grüß"), std::nullopt);
  EXPECT_NE(name.fault("grüße"), std::nullopt);
  EXPECT_NE(name.fault("\x1b\x1b"), std::nullopt) << "shown as \\x1b\\x1b, as in Python's reader";
}

TEST_F(RecordReader, RefusesALineBeyondTheLimit) {
  EXPECT_EQ(complaint(kGood + std::string((std::size_t{64} << 20) + 1, ' ') + "\n" + kGood),
            path_.string() + ":2: too long; allowed: 64 MiB a line");
  EXPECT_EQ(complaint(kGood + "[" + std::string(std::size_t{65} << 20, '[')),
            path_.string() + ":2: too long; allowed: 64 MiB a line");
}

TEST_F(RecordReader, NamesTheLineOfABrokenRecord) {
  EXPECT_EQ(complaint(kGood + "{broken\n" + kGood), path_.string() + ":2: not JSON");
  EXPECT_EQ(complaint(kGood + "{broken\n"), path_.string() + ":2: not JSON") << "a whole line, not a torn one";
  EXPECT_EQ(complaint("[1]\n"), path_.string() + ":1: not a JSON object");
  EXPECT_EQ(complaint("{\"schema\":2,\"kind\":\"run\"}\n"), path_.string() + ":1: schema: must be 1");
  EXPECT_NE(complaint("{\"schema\":1}\n").find(":1: kind:"), std::string::npos);
}

TEST_F(RecordReader, RefusesBinaryAndDeepNesting) {
  EXPECT_NE(complaint(std::string_view{"\x7f"
                                       "ELF\0\1\2\3\xff\xfe",
                                       10}),
            "");
  const std::string deep =
      std::string{R"({"schema":1,"kind":"run","x":)"} + std::string(1000000, '[') + std::string(1000000, ']') + "}\n";
  EXPECT_EQ(complaint(deep), path_.string() + ":1: nested too deeply; allowed: 64 levels");
}

TEST(RecordFiles, AreThoseOfAFolderCompressedOrNot) {
  const TemporaryFolder folder;
  for (const char* name : {"b.jsonl.gz", "a.jsonl", "profile.json", "a.gz", "._a.jsonl", ".b.jsonl.gz"}) {
    std::ofstream{folder / name} << "";
  }
  EXPECT_EQ(record_files(folder.path(), FolderDepth::alone),
            (std::vector<std::filesystem::path>{folder / "a.jsonl", folder / "b.jsonl.gz"}));
}

TEST_F(RecordReader, SaysWhyAFileCannotBeRead) {
  EXPECT_THROW(read_records("/no/such/file.jsonl"), BadInput);
  EXPECT_THROW(read_records("/"), BadInput);
  EXPECT_TRUE(read_records(write("")).records.empty());
}

}  // namespace
}  // namespace sortlab
