// The lists of names in the code, and the fields of a case, are those of the JSON Schemas, which Python reads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/probe.hpp"
#include "core/json_field.hpp"
#include "harness/cell/case_fields.hpp"
#include "harness/cell/result.hpp"
#include "models/model_kind.hpp"
#include "models/table_log.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using Names = std::set<std::string>;

ordered_json schema(const std::string& name) {
  return read_json_file(std::string{SORTLAB_SOURCE_DIR "/configs/schemas/"} + name + ".schema.json");
}

Names listed(const ordered_json& definition) {
  Names names;
  for (const ordered_json& name : definition.at("enum")) {
    if (!name.is_null()) names.insert(name.get<std::string>());
  }
  return names;
}

template <Named E>
Names named(Names others = {}) {
  for (const std::string& name : all_names<E>()) others.insert(name);
  return others;
}

TEST(Schema, OfRecordsListsTheNamesOfTheCode) {
  const ordered_json definitions = schema("record").at("$defs");
  EXPECT_EQ(listed(definitions["key_type"]), named<KeyType>());
  EXPECT_EQ(listed(definitions["value_type"]), named<ValueType>());
  EXPECT_EQ(listed(definitions["layout"]), named<Layout>());
  EXPECT_EQ(listed(definitions["residency"]), named<Residency>());
  EXPECT_EQ(listed(definitions["host_memory"]), named<HostMemory>());
  EXPECT_EQ(listed(definitions["processor"]), named<Processor>());
  EXPECT_EQ(listed(definitions["code_origin"]), named<Origin>());
  EXPECT_EQ(listed(definitions["status"]), named<Status>());
  EXPECT_EQ(listed(definitions["reason_code"]), named<ReasonCode>());
  EXPECT_EQ(listed(definitions["stop_reason"]), named<StopReason>());
  EXPECT_EQ(listed(definitions["model_kind"]), named<ModelKind>());
  EXPECT_EQ(listed(definitions["reading"]), named<Reading>());
}

TEST(Schema, OfConfigsListsTheNamesOfTheCode) {
  const ordered_json sweep = schema("config").at("$defs").at("sweep").at("properties");
  EXPECT_EQ(listed(sweep["keys"]["items"]), named<KeyType>());
  EXPECT_EQ(listed(sweep["values"]["items"]), named<ValueType>());
  EXPECT_EQ(listed(sweep["residency"]["items"]), named<Residency>());
  EXPECT_EQ(listed(sweep["host_memory"]["items"]), named<HostMemory>());
  EXPECT_EQ(listed(sweep["layout"]), named<Layout>({"native"}));
}

TEST(Schema, OfProfilesListsTheNamesOfTheCode) {
  const ordered_json table = schema("machine_profile").at("$defs").at("table").at("properties");
  EXPECT_EQ(listed(table["kind"]), named<calibration::TableKind>());
}

TEST(Schema, HasTheFieldsOfACase) {
  const ordered_json described = schema("record").at("$defs").at("case");
  Names members, recorded;
  for (const auto& [name, definition] : described.at("properties").items()) members.insert(name);
  for (const CaseField& field : case_fields()) {
    if (field.recorded) recorded.insert(field.name);
  }
  EXPECT_EQ(members, recorded);
  for (const ordered_json& name : described.at("required")) EXPECT_TRUE(recorded.contains(name.get<std::string>()));
}

}  // namespace
}  // namespace sortlab
