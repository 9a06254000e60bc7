#include "harness/plan/config.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/temporary_folder.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/parse.hpp"
#include "harness/cell/problem.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/plan/work.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

class ConfigFile : public ::testing::Test {
 protected:
  Config read(const std::string& text) {
    std::ofstream{path_, std::ios::binary} << text;
    return read_config(path_);
  }
  std::vector<Cell> cells(const std::string& sweep) {
    return expand_sweeps(read(R"({"name":"t","sweeps":[)" + sweep + "]}").sweeps);
  }
  std::string complaint(const std::string& text) {
    try {
      expand_sweeps(read(text).sweeps);
    } catch (const BadInput& error) {
      return error.what();
    }
    return "no complaint";
  }

  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "config.json";
};

TEST_F(ConfigFile, SweepIsAProductAndDuplicatesCollapse) {
  EXPECT_EQ(cells(R"({"algorithms":["planted_sort"],"keys":["u32","u64"],"values":["none","u32"],"n":["2^10",1000],
                      "distributions":["uniform"],"seeds":[1,2]})")
                .size(),
            16U);
  EXPECT_EQ(cells(R"({"algorithms":["planted_sort","planted_sort"],"n":[1024,"2^10","1K"],"distributions":["uniform"]},
                     {"algorithms":["planted_sort"],"n":["1.024e3"],"distributions":["uniform"]})")
                .size(),
            1U);
}

TEST_F(ConfigFile, LayoutIsTheAlgorithmsOwnForPairsAndSeparateForKeys) {
  const auto both =
      cells(R"({"algorithms":["planted_sort"],"values":["none","u32"],"n":[10],"distributions":["uniform"]})");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].subject.layout, Layout::separate);
  EXPECT_EQ(both[1].subject.layout, Layout::together);
}

TEST_F(ConfigFile, ResidencyIsTheAlgorithmsOwnUnlessGiven) {
  const std::string rest = R"(,"n":[10],"distributions":["uniform"])";
  const auto own = cells(R"({"algorithms":["planted_sort","planted_device_sort"])" + rest + "}");
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].subject.residency, Residency::host);
  EXPECT_EQ(own[1].subject.residency, Residency::device);
  // host_memory multiplies only end-to-end cells.
  const auto given = cells(R"({"algorithms":["planted_device_sort"],"residency":["device","end_to_end"],
                               "host_memory":["pinned","pageable"])" +
                           rest + "}");
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(given[0].subject.residency, Residency::device);
  EXPECT_EQ(given[1].subject.host_memory, HostMemory::pinned);
  EXPECT_EQ(given[2].subject.host_memory, HostMemory::pageable);
}

TEST_F(ConfigFile, AHostSortDeclinesTheResidenciesOfADevice) {
  for (const Cell& cell : cells(R"({"algorithms":["planted_sort"],"residency":["device","end_to_end"],"n":[10],
                                    "distributions":["uniform"]})")) {
    EXPECT_NE(refusal(cell.subject).value_or("").find("residency must be host"), std::string::npos);
  }
}

TEST_F(ConfigFile, StringsAndKeysOfFixedWidthDoNotMix) {
  const auto one = [&](const std::string& algorithm, const std::string& key, const std::string& distribution) {
    return cells(R"({"algorithms":[")" + algorithm + R"("],"keys":[")" + key + R"("],"n":[10],"distributions":[")" +
                 distribution + R"("]})")
        .front()
        .subject;
  };
  EXPECT_EQ(refusal(one("planted_string_sort", "string", "words")), std::nullopt);
  EXPECT_EQ(refusal(one("planted_string_sort", "string", "uniform")),
            "the input cannot be made: uniform makes no strings");
  EXPECT_EQ(refusal(one("planted_sort", "u32", "words")),
            "the input cannot be made: words makes string keys only; add --key string");
  EXPECT_EQ(refusal(one("planted_sort", "string", "words")), "does not sort string keys");
  EXPECT_EQ(refusal(one("planted_string_sort", "u32", "uniform")), "does not sort u32 keys");
  EXPECT_EQ(refusal(one("planted_string_sort", "string", "random_strings:min_length=9,max_length=8")),
            "the input cannot be made: min_length=9 is above max_length=8");
}

TEST_F(ConfigFile, RecordsAreCountedInBytes) {
  const std::string payload = "random_strings:min_length=4,max_length=4,payload=20";
  const Case c = cells(R"({"algorithms":["planted_string_sort"],"keys":["string"],"n":[10],"distributions":[")" +
                       payload + R"("]})")
                     .front()
                     .subject;
  EXPECT_EQ(case_problem(c).bytes, 240U);
  EXPECT_EQ(input_bytes(c), 240U);
  EXPECT_EQ(to_json(c).at("bytes"), 240);
  EXPECT_EQ(cell_id(case_from_json(to_json(c))), cell_id(c));
}

TEST_F(ConfigFile, WhatIsTooLargeForTheMemoryIsSkippedAndTheRestIsNot) {
  const auto reasons = [&](const std::string& sweep) {
    std::vector<std::string> found;
    for (const Cell& cell : cells(sweep)) {
      const auto reason = reason_to_skip(cell, std::uint64_t{1} << 34);
      found.push_back(reason ? reason->text : "");
    }
    return found;
  };
  EXPECT_EQ(reasons(R"({"algorithms":["planted_sort"],"n":["2^30","2^31","2^40"],"distributions":["uniform"]})"),
            (std::vector<std::string>{"", "",
                                      "1099511627776 elements of 4 bytes, kept and sorted, need 8192.0 GiB of memory; "
                                      "16.0 may be used"}));
  const std::vector<std::string> end_to_end = reasons(R"({"algorithms":["planted_device_sort"],"n":["2^32"],
      "keys":["u64"],"distributions":["uniform"],"residency":["device","end_to_end"]})");
  EXPECT_EQ(end_to_end.at(0).find("of memory"), std::string::npos);  // it needs no host memory
  EXPECT_NE(end_to_end.at(1).find("need 64.0 GiB of memory"), std::string::npos);
  EXPECT_EQ(reasons(R"({"algorithms":["planted_string_sort"],"keys":["string"],"n":["2^20"],
                       "distributions":["random_strings:payload=65536"]})"),
            (std::vector<std::string>{"1048576 records of random_strings:max_length=32,payload=65536, kept and sorted, "
                                      "need 128.1 GiB of memory; 16.0 may be used"}));
  EXPECT_NE(complaint(R"({"name":"t","sweeps":[{"algorithms":["planted_string_sort"],"keys":["string"],"n":["2^40"],
                         "distributions":["words"]}]})")
                .find("sweeps[0].n: 1099511627776 records of 16 bytes and more do not fit"),
            std::string::npos);
}

TEST_F(ConfigFile, ProtocolIsOverriddenFieldByField) {
  const Config config = read(R"({"name":"t","protocol":{"budget_s":7,"samples":3},"sweeps":[
      {"algorithms":["planted_sort"],"n":[10],"distributions":["uniform"],"protocol":{"samples":5}}]})");
  EXPECT_EQ(config.sweeps[0].protocol.budget_s, 7);
  EXPECT_EQ(config.sweeps[0].protocol.samples, 5);
  EXPECT_EQ(config.sweeps[0].protocol.warmup, Protocol{}.warmup);
}

TEST_F(ConfigFile, EnergyIsAskedForByTheFileOrASweep) {
  const auto asked = [&](const std::string& text) {
    std::vector<bool> energy;
    for (const Sweep& sweep : read(text).sweeps) energy.push_back(sweep.protocol.energy);
    return energy;
  };
  const std::string sweep = R"({"algorithms": ["planted_sort"], "n": [10], "distributions": ["uniform"])";
  EXPECT_EQ(asked(R"({"name": "e", "sweeps": [)" + sweep + "}]}"), std::vector{false});
  EXPECT_EQ(asked(R"({"name": "e", "energy": true, "sweeps": [)" + sweep + "}, " + sweep + R"(, "energy": false}]})"),
            (std::vector{true, false}));
  EXPECT_THROW(asked(R"({"name": "e", "energy": 1, "sweeps": [)" + sweep + "}]}"), BadInput);
}

TEST_F(ConfigFile, BadInputNamesFilePathAndWhatIsAllowed) {
  const std::string good = R"("algorithms":["planted_sort"],"n":[10],"distributions":["uniform"])";
  const std::vector<std::pair<std::string, std::vector<std::string>>> table{
      {"", {"is empty"}},
      {"{", {"is not JSON", "line 1"}},
      {std::string{"\x7f"
                   "ELF\0\1\2",
                   7},
       {"is not JSON"}},
      {std::string(70000, '[') + std::string(70000, ']'), {"nested too deeply; allowed: 64 levels"}},
      {R"({"name":"t","n":1)" + std::string(400, '0') + "}", {"n: a number of 401 characters is too large"}},
      {"[]", {"expected an object"}},
      {"{}", {"'name' is missing"}},
      {R"({"name":"t"})", {"'sweeps' is missing"}},
      {R"({"name":"../t","sweeps":[{)" + good + "}]}", {"name: expected letters"}},
      {R"({"name":"t","sweeps":[]})", {"sweeps: expected a list", "not []"}},
      {R"({"name":"t","sweps":[]})", {"unknown key \"sweps\"", "did you mean 'sweeps'"}},
      {R"({"name":"t","sweeps":[{"algorithms":["planted_sort"],"n":[1,2,"2^99"],"distributions":["uniform"]}]})",
       {"sweeps[0].n[2]", "'2^99'", "0 to 2^40"}},
      {R"({"name":"t","sweeps":[{"algorithms":["planted_sort"],"n":[-5],"distributions":["uniform"]}]})",
       {"sweeps[0].n[0]", "'-5'"}},
      {R"({"name":"t","sweeps":[{"algorithms":["planted_sort"],"n":[1.5],"distributions":["uniform"]}]})",
       {"sweeps[0].n[0]", "'1.5'"}},
      {R"({"name":"t","sweeps":[{"algorithms":["planted_sort"],"n":[true],"distributions":["uniform"]}]})",
       {"sweeps[0].n[0]", "expected a number or a text, not true"}},
      {R"({"name":"t","sweeps":[{"algorithms":["planted_srot"],"n":[1],"distributions":["uniform"]}]})",
       {"sweeps[0].algorithms[0]", "did you mean 'planted_sort'"}},
      {R"({"name":"t","sweeps":[{"algorithms":[{"name":"planted_sort","parameters":{"x":1}}],"n":[1],"distributions":["uniform"]}]})",
       {"sweeps[0].algorithms[0].parameters.x", "unknown parameter 'x'"}},
      {R"({"name":"t","sweeps":[{"algorithms":[{"name":"planted_sort","preset":"paper"}],"n":[1],"distributions":["uniform"]}]})",
       {"sweeps[0].algorithms[0].preset", "unknown preset 'paper'"}},
      {R"({"name":"t","sweeps":[{"algorithms":["planted_sort"],"n":[1],"distributions":["unifrom"]}]})",
       {"sweeps[0].distributions[0]", "did you mean 'uniform'"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"keys":["u33"]}]})", {"sweeps[0].keys[0]", "'u33'", "u32"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"values":"none"}]})", {"sweeps[0].values: expected a list"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"threads":[0]}]})", {"sweeps[0].threads[0]", "1 to 4096"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"layout":"apart"}]})",
       {"sweeps[0].layout", "native, separate, together"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"residency":["gpu"]}]})",
       {"sweeps[0].residency[0]", "host, device, end_to_end"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"host_memory":["fast"]}]})",
       {"sweeps[0].host_memory[0]", "pinned, pageable"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"seeds":[1.5]}]})", {"sweeps[0].seeds[0]", "1.5"}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"protocol":{"budget_s":"2"}}]})",
       {"sweeps[0].protocol.budget_s", "expected a number", "\"2\""}},
      {R"({"name":"t","sweeps":[{)" + good + R"(,"protocol":{"max_samples":3}}]})", {"max_samples"}},
  };
  for (const auto& [text, fragments] : table) {
    const std::string line = complaint(text);
    EXPECT_NE(line.find(path_.filename().string()), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    for (const std::string& fragment : fragments) EXPECT_NE(line.find(fragment), std::string::npos) << line;
  }
  EXPECT_THROW(read_config("/no/such/file.json"), BadInput);
  EXPECT_THROW(read_config(::testing::TempDir()), BadInput);
}

TEST(Count, ReadsWhatUsersWrite) {
  EXPECT_EQ(parse_count("0"), 0U);
  EXPECT_EQ(parse_count("1000003"), 1000003U);
  EXPECT_EQ(parse_count("2^24"), 16777216U);
  EXPECT_EQ(parse_count("64M"), std::uint64_t{64} << 20);
  EXPECT_EQ(parse_count("256K"), 262144U);
  EXPECT_EQ(parse_count("1G"), std::uint64_t{1} << 30);
  EXPECT_EQ(parse_count("500e6"), 500000000U);
  EXPECT_EQ(parse_count("1.5e3"), 1500U);
  for (const char* text : {"", "-5", "2^99", "2^", "^2", "1e99", "1e-3", "0x10", "10 ", "K", "64m", "1.5", "nan",
                           "2^-1", "99999999999999999999", "2^3^2", "inf", "1e"}) {
    EXPECT_THROW(parse_count(text), BadInput) << text;
  }
}

TEST(CaseOptions, ParametersGoToThoseThatDeclareThem) {
  CaseOptions options;
  options.algorithms = {"planted_sort"};
  EXPECT_EQ(expand_sweeps(make_sweeps(options, {})).size(), 1U);
  options.parameters = {"digit_bits=8"};
  EXPECT_THROW(make_sweeps(options, {}), BadInput);
  options.parameters = {"digit_bits"};
  EXPECT_THROW(make_sweeps(options, {}), BadInput);
  options.parameters.clear();
  options.preset = "paper";
  EXPECT_THROW(make_sweeps(options, {}), BadInput);
}

TEST(CellId, SortsEndToEndAreCellsOfTheirOwn) {
  CaseOptions options;
  options.algorithms = {"planted_device_sort"};
  options.residency = {"device", "end_to_end"};
  options.host_memory = {"pinned", "pageable"};
  const std::vector<Cell> cells = expand_sweeps(make_sweeps(options, {}));
  ASSERT_EQ(cells.size(), 3U);
  std::set<std::string> ids;
  for (const Cell& cell : cells) {
    ids.insert(cell_id(cell.subject));
    EXPECT_EQ(cell_id(cell.subject), cell_id(case_from_json(to_json(cell.subject))));
  }
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(case_text(cells[0].subject), "planted_device_sort u32 n=1048576 uniform threads=1 seed=1");
  EXPECT_EQ(case_text(cells[1].subject),
            "planted_device_sort u32 end_to_end/pinned n=1048576 uniform threads=1 seed=1");
  EXPECT_EQ(end_to_end_text(to_json(cells[0].subject)), "");
  EXPECT_EQ(end_to_end_text(to_json(cells[2].subject)), "end_to_end/pageable");
  nlohmann::ordered_json unsaid = to_json(cells[1].subject);
  unsaid.erase("host_memory");
  EXPECT_THROW(case_from_json(unsaid), BadInput);
}

// The id must never change by accident: kept records could no longer be joined.
TEST(CellId, IsStableAndCoversTheCase) {
  CaseOptions options;
  options.algorithms = {"planted_sort"};
  options.n = {"2^20"};
  const Case c = expand_sweeps(make_sweeps(options, {})).front().subject;
  EXPECT_EQ(cell_id(c), cell_id(case_from_json(to_json(c, {31.5, {0}}))));
  Case other = c;
  other.seed = 2;
  EXPECT_NE(cell_id(c), cell_id(other));
  other = c;
  other.threads = 2;
  EXPECT_NE(cell_id(c), cell_id(other));
  other = c;
  other.host_memory = HostMemory::pageable;  // ignored on the host
  EXPECT_EQ(cell_id(c), cell_id(other));
  EXPECT_NE(resume_key(c, "here"), resume_key(c, "there"));
  EXPECT_EQ(cell_id(c).size(), 16U);
}

}  // namespace
}  // namespace sortlab
