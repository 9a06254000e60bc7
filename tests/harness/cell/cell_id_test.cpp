#include "harness/cell/cell_id.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/bad_input.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/problem.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {
namespace {

TEST(CellId, KeptRecordsStillHaveTheirs) {
  std::size_t same = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{SORTLAB_SOURCE_DIR "/results/reference"}) {
    if (entry.path().extension() != ".jsonl") continue;
    for (const nlohmann::ordered_json& record : read_records(entry.path()).records) {
      if (record["kind"] != "measurement" && record["kind"] != "component") continue;
      try {
        ASSERT_EQ(cell_id(record.at("case")), record.at("cell").get<std::string>()) << entry.path();
        const Case c = case_from_json(record.at("case"), entry.path().string());
        ASSERT_EQ(cell_id(c), record.at("cell").get<std::string>()) << entry.path() << ": " << record.at("case");
        ++same;
      } catch (const BadInput&) {
        continue;  // this build lacks the algorithm or one of its parameters
      }
    }
  }
  EXPECT_GT(same, 1000U);
}

TEST(CellId, ARecordOfAFormerInputKeepsItsIdAndIsNotMadeAgain) {
  const Case now{.algorithm = &algorithm_named("std_sort"),
                 .parameters = {},
                 .n = 1024,
                 .distribution = parse_distribution("randomized_duplicates")};
  nlohmann::ordered_json json = to_json(now);
  ASSERT_EQ(json["distribution_parameters"]["version"], 2);
  EXPECT_FALSE(case_from_json(json).former_input);
  EXPECT_EQ(cell_id(case_from_json(json)), cell_id(now));
  json["distribution_parameters"].erase("version");
  const Case before = case_from_json(json);
  EXPECT_TRUE(before.former_input);
  EXPECT_NE(cell_id(before), cell_id(now));
  EXPECT_EQ(to_json(before)["distribution_parameters"], json["distribution_parameters"]);
  EXPECT_EQ(refusal(before), "the input cannot be made: an earlier version made it of other bytes");
  Case large = now;
  large.n = 1 << 20;  // whose bytes have not changed
  EXPECT_FALSE(case_from_json(to_json(large)).former_input);
}

TEST(CellId, FollowsFromARecordsCaseWhateverTheOrderOfItsMembers) {
  const Case c{.algorithm = &algorithm_named("std_sort"),
               .parameters = {},
               .n = 1000,
               .distribution = parse_distribution("randomized_duplicates")};
  const nlohmann::ordered_json written = to_json(c);
  ASSERT_TRUE(written["distribution_parameters"].contains("version"));
  EXPECT_EQ(cell_id(written), cell_id(c));
  EXPECT_EQ(cell_id(nlohmann::ordered_json(nlohmann::json(written))), cell_id(c)) << "members by name";
  nlohmann::ordered_json other = written;
  other["n"] = 1000.0;
  other["threads"] = 1.0;
  other["entropy_bits"] = 3;
  EXPECT_EQ(cell_id(other), cell_id(c));
  other["threads"] = 2;
  EXPECT_NE(cell_id(other), cell_id(c));
  other = written;
  other["distribution_parameters"]["version"] = 3;
  EXPECT_NE(cell_id(other), cell_id(c));
}

TEST(CellId, NumbersThatAreEqualAreOne) {
  const Case c{.algorithm = &algorithm_named("std_sort"),
               .parameters = {},
               .n = 1000,
               .distribution = parse_distribution("zipf:theta=1")};
  nlohmann::ordered_json recorded = to_json(c);
  ASSERT_TRUE(recorded["distribution_parameters"]["theta"].is_number_float());
  recorded["distribution_parameters"]["theta"] = 1;
  EXPECT_EQ(cell_id(recorded), cell_id(c));
  recorded["parameters"]["digits"] = 8;
  nlohmann::ordered_json other = recorded;
  other["parameters"]["digits"] = 8.0;
  EXPECT_EQ(cell_id(other), cell_id(recorded));
  other["parameters"]["digits"] = "8";
  EXPECT_NE(cell_id(other), cell_id(recorded));
}

TEST(CellId, NamesAParameterDeclaredLaterOnlyAwayFromItsDefault) {
  const Algorithm& algorithm = algorithm_named("satish_cpu_radix");
  const auto with = [&](const GivenParameters& given) {
    return Case{.algorithm = &algorithm,
                .parameters = resolve("satish_cpu_radix", algorithm.info().parameters, given),
                .distribution = parse_distribution("uniform")};
  };
  const Case before = with({{"digit_bits", "8"}}), same = with({{"digit_bits", "8"}, {"pages", "input"}});
  const Case other = with({{"digit_bits", "8"}, {"pages", "4k"}});
  EXPECT_EQ(cell_id(before), cell_id(same));
  EXPECT_NE(cell_id(before), cell_id(other));
  EXPECT_FALSE(to_json(before)["parameters"].contains("pages"));
  EXPECT_EQ(to_json(other)["parameters"]["pages"], "4k");
  EXPECT_EQ(case_from_json(to_json(other)).parameters, other.parameters);
  EXPECT_EQ(case_from_json(to_json(before)).parameters, before.parameters);
}

}  // namespace
}  // namespace sortlab
