// Machine profiles: reading and writing, looking quantities up, and complaints that name the file and the field.
#include "models/machine_profile.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string>
#include <utility>

#include "core/parameters.hpp"
#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "models/quantity_range.hpp"
#include "models/table_log.hpp"
#include "models/table_units.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

MachineProfile example() {
  MachineProfile profile{.id = "test", .name = "Test machine", .origin = "calibrated", .source = "this test"};
  profile.clock_hz = 2e9;
  profile.cores = 2;
  profile.cache_bytes = {{"L1d", 32768}, {"L2", 524288}};
  profile.memory_bytes = 1e9;
  profile.tables["copy"] = {.unit = "B/s",
                            .source = "MB1",
                            .arguments = {"threads", "bytes"},
                            .points = {{{1, 1024}, 10e9, {}},
                                       {{1, 4096}, 20e9, std::pair{19e9, 21e9}},
                                       {{2, 1024}, 30e9, {}},
                                       {{2, 4096}, 50e9, {}}}};
  profile.tables["barrier"] = {
      .unit = "s", .source = "MB7", .arguments = {}, .points = {{{}, 1e-6, {}}}, .kind = "hardware"};
  return profile;
}

class ProfileFile : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const fs::path path_ = folder_ / "profile.json";

  std::string complaint() const {
    try {
      read_profile(path_.string());
    } catch (const BadInput& error) {
      return error.what();
    }
    return "none";
  }
  std::string text() const { return read_file(path_).value_or(""); }
  void write(const std::string& text) const { std::ofstream{path_} << text; }
};

TEST(MachineProfile, InterpolatesSizesByTheirLogarithmAndCountsLinearly) {
  const MachineProfile profile = example();
  EXPECT_DOUBLE_EQ(profile.at("copy", {1, 1024}), 10e9);
  EXPECT_DOUBLE_EQ(profile.at("copy", {1, 2048}), 15e9);
  EXPECT_DOUBLE_EQ(profile.at("copy", {1.5, 2048}), 27.5e9);
  EXPECT_DOUBLE_EQ(profile.at("barrier"), 1e-6);
}

TEST(MachineProfile, InterpolatesLinearlyFromASizeOfNothing) {
  MachineProfile profile = example();
  profile.tables["tile"] = {
      .unit = "cycles/element", .source = "MB8", .arguments = {"value_bytes"}, .points = {{{0}, 1, {}}, {{8}, 3, {}}}};
  EXPECT_DOUBLE_EQ(profile.at("tile", {0}), 1);
  EXPECT_DOUBLE_EQ(profile.at("tile", {4}), 2);
}

TEST(MachineProfile, InterpolatesWhatEmptyingABufferAddsByItsLinesReciprocal) {
  MachineProfile profile = example();
  profile.tables["append"] = {
      .unit = "s/element", .source = "MB11", .arguments = {"lines"}, .points = {{{1}, 6, {}}, {{4}, 3, {}}}};
  EXPECT_DOUBLE_EQ(profile.at("append", {2}), 4);  // 2 + 4 / lines
}

TEST(MachineProfile, IsConstantBeyondItsPoints) {
  const MachineProfile profile = example();
  EXPECT_DOUBLE_EQ(profile.at("copy", {8, 1 << 30}), 50e9);
  EXPECT_DOUBLE_EQ(profile.at("copy", {1, 16}), 10e9);
}

TEST(TableLog, HasEachTableOnceWithItsArgumentsAndHowFarFromPointsTheyAre) {
  TableLog log;
  MachineProfile profile = example();
  profile.log = &log;
  (void)profile.at("barrier");
  (void)profile.at("copy", {1, 1e12});  // the largest there is
  EXPECT_EQ(log.reads().at("copy").reading, Reading::exact);
  (void)profile.at("copy", {2, 2048});
  EXPECT_EQ(log.reads().at("copy").reading, Reading::interpolated);
  (void)profile.at("copy", {3, 2048});
  (void)profile.at("copy", {1, 1024});
  ASSERT_EQ(log.reads().size(), 2U);
  const TableRead& copy = log.reads().at("copy");
  EXPECT_EQ(copy.reading, Reading::extrapolated);
  EXPECT_EQ(copy.kind, ModelKind::hardware);
  ASSERT_EQ(copy.arguments.size(), 2U);
  EXPECT_EQ(copy.arguments[0].name, "threads");
  EXPECT_EQ(copy.arguments[0].least, 1);
  EXPECT_EQ(copy.arguments[0].most, 3);
  EXPECT_EQ(log.reads().at("barrier").reading, Reading::exact);
  EXPECT_TRUE(log.reads().at("barrier").arguments.empty());
  EXPECT_THROW((void)profile.at("missing"), MissingQuantity);
  log.clear();
  EXPECT_TRUE(log.reads().empty());
}

TEST(MachineProfile, NamesWhatItLacks) {
  const MachineProfile profile = example();
  try {
    (void)profile.at("scatter", {1, 2});
    FAIL();
  } catch (const MissingQuantity& error) {
    EXPECT_STREQ(error.what(),
                 "the profile of Test machine has no quantity 'scatter'; `sortlab calibrate` measures what is missing");
  }
  EXPECT_THROW((void)profile.at("copy", {1}), MissingQuantity);
  EXPECT_THROW((void)profile.cache("L3"), MissingQuantity);
}

TEST_F(ProfileFile, ComesBackAsItWasWritten) {
  MachineProfile written = example();
  write_profile(written, path_.string());
  const MachineProfile read = read_profile(path_.string());
  EXPECT_EQ(to_json(read), to_json(written));
  EXPECT_EQ(read.hash, written.hash);
  EXPECT_EQ(read.hash.size(), 16U);

  written.tables["copy"].points[0].value = 11e9;
  write_profile(written, path_.string());
  EXPECT_NE(read_profile(path_.string()).hash, read.hash);
}

MachineProfile example_with_device() {
  MachineProfile profile = example();
  MachineProfile device{.id = "test-gpu-10sm", .name = "Test GPU", .origin = "calibrated", .source = "this test"};
  device.clock_hz = 1e9;
  device.cores = 10;
  device.cache_bytes = {{"shared", 65536}};
  device.tables["launch"] = {
      .unit = "s", .source = "MB7", .arguments = {}, .points = {{{}, 2e-6, std::pair{1e-6, 3e-6}}}};
  profile.devices = {device};
  return profile;
}

TEST_F(ProfileFile, DevicesComeBackWithHashesOfTheirOwn) {
  MachineProfile written = example_with_device();
  write_profile(written, path_.string());
  const MachineProfile read = read_profile(path_.string());
  EXPECT_EQ(to_json(read), to_json(written));
  EXPECT_EQ(read.hash, written.hash);
  ASSERT_EQ(read.devices.size(), 1U);
  EXPECT_EQ(read.devices[0].hash, written.devices[0].hash);
  EXPECT_DOUBLE_EQ(read.devices[0].at("launch"), 2e-6);

  // Measuring the host again leaves the device's hash, and the other way round changes the whole's.
  MachineProfile other = written;
  other.tables["copy"].points[0].value = 11e9;
  write_profile(other, path_.string());
  EXPECT_EQ(read_profile(path_.string()).devices[0].hash, read.devices[0].hash);
  EXPECT_NE(other.hash, read.hash);
  other = written;
  other.devices[0].tables["launch"].points[0].value = 3e-6;
  write_profile(other, path_.string());
  EXPECT_NE(other.devices[0].hash, read.devices[0].hash);
  EXPECT_NE(other.hash, read.hash);
}

TEST_F(ProfileFile, WhatADevicesTablesWereMeasuredForComesBack) {
  MachineProfile profile = example();
  const std::string before = to_json(profile).dump();
  profile.compute_capability = "9.0";
  profile.libraries = {{"CUB", "3.0.1"}};
  write_profile(profile, path_.string());
  const MachineProfile back = read_profile(path_.string());
  EXPECT_EQ(back.compute_capability, "9.0");
  EXPECT_EQ(back.libraries.at("CUB"), "3.0.1");
  EXPECT_EQ(back.hash, profile.hash);
  EXPECT_EQ(to_json(example()).dump(), before);  // unstated fields are not written, so hashes of kept profiles stay
  EXPECT_EQ(before.find("compute_capability"), std::string::npos);
}

TEST_F(ProfileFile, DevicesHaveNoDevices) {
  nlohmann::ordered_json json = to_json(example_with_device());
  json["devices"][0]["devices"] = json["devices"];
  write(json.dump());
  EXPECT_EQ(complaint(),
            path_.string() +
                ": devices[0]: unknown key \"devices\"; allowed: schema, kind, id, name, origin, source, clock_hz, "
                "cores, cache_bytes, memory_bytes, compute_capability, libraries, tables");
  json = to_json(example_with_device());
  json["devices"][0]["tables"]["launch"].erase("unit");
  write(json.dump());
  EXPECT_EQ(complaint(), path_.string() + ": devices[0].tables.launch: the key 'unit' is missing");
}

TEST_F(ProfileFile, ATableHasEachPointOnce) {
  nlohmann::ordered_json json = to_json(example_with_device());
  nlohmann::ordered_json& points = json["devices"][0]["tables"]["launch"]["points"];
  points.push_back(points[0]);
  points.back()["value"] = 2 * points[0]["value"].get<double>();
  write(json.dump());
  EXPECT_NE(complaint().find(fmt::format("devices[0].tables.launch.points[{}].at", points.size() - 1)),
            std::string::npos)
      << complaint();
  EXPECT_NE(complaint().find("each point of a table once"), std::string::npos) << complaint();
}

TEST(MachineProfile, KnowsWhatASortOnADeviceRunsOn) {
  const MachineProfile machine = example_with_device();
  EXPECT_EQ(machine.device(), &machine.devices[0]);
  EXPECT_EQ(machine.devices[0].device(), &machine.devices[0]);
  EXPECT_EQ(example().device(), nullptr);
  const MachineProfile paper = read_profile(SORTLAB_SOURCE_DIR "/models/machines/titan_x_pascal.json");
  EXPECT_EQ(paper.device(), &paper);
}

TEST(MachineProfile, InterpolatesEverySizeByItsLogarithm) {
  MachineProfile profile = example();
  profile.tables["scatter"] = {.unit = "B/s",
                               .source = "MB2",
                               .arguments = {"runs", "run_bytes"},
                               .points = {{{16, 64}, 10, {}}, {{16, 256}, 30, {}}, {{32, 64}, 20, {}}}};
  EXPECT_DOUBLE_EQ(profile.at("scatter", {16, 128}), 20);
  EXPECT_DOUBLE_EQ(profile.at("scatter", {24, 64}), 15);
}

TEST_F(ProfileFile, ComplaintsNameTheFileAndTheField) {
  MachineProfile profile = example();
  write_profile(profile, path_.string());
  const std::string good = text();
  const std::string where = path_.string();

  write(good.substr(0, good.size() / 2));
  EXPECT_EQ(complaint().find(where + ": is not JSON, from line "), 0U);
  write("");
  EXPECT_EQ(complaint(), where + ": is empty; expected JSON");
  write("[]");
  EXPECT_EQ(complaint(), where + ": expected an object {…}, not []");

  nlohmann::ordered_json json = nlohmann::ordered_json::parse(good);
  json["tables"]["copy"]["points"][2]["value"] = "fast";
  write(json.dump());
  EXPECT_EQ(complaint(), where + ": tables.copy.points[2].value: expected a number from 1e+07 to 1e+16, not \"fast\"");

  json = nlohmann::ordered_json::parse(good);
  json["tables"]["copy"]["points"][1]["at"] = {1};
  write(json.dump());
  EXPECT_EQ(complaint(), where + ": tables.copy.points[1].at: expected a list of 2 numbers, one an argument, not [1]");

  json = nlohmann::ordered_json::parse(good);
  json.erase("clock_hz");
  write(json.dump());
  EXPECT_EQ(complaint(), where + ": the key 'clock_hz' is missing");

  fs::remove(path_);
  EXPECT_EQ(complaint(), where + ": no such file");
}

TEST_F(ProfileFile, ValuesStayWithinWhatAMachineCanBe) {
  const nlohmann::ordered_json good = to_json(example());
  const auto with = [&](const char* pointer, const nlohmann::ordered_json& value) {
    nlohmann::ordered_json json = good;
    json[nlohmann::ordered_json::json_pointer{pointer}] = value;
    write(json.dump());
    const std::string said = complaint();
    return said == "none" ? said : said.substr(path_.string().size() + 2);
  };
  EXPECT_EQ(with("/clock_hz", 2e9), "none");
  EXPECT_EQ(with("/clock_hz", 0), "clock_hz: expected a number from 1e+06 to 1e+12, not 0");
  EXPECT_EQ(with("/clock_hz", -1), "clock_hz: expected a number from 1e+06 to 1e+12, not -1");
  EXPECT_EQ(with("/cores", 1.5), "cores: expected an integer from 1 to 1000000, not 1.5");
  EXPECT_EQ(with("/cores", 0), "cores: expected an integer from 1 to 1000000, not 0");
  EXPECT_EQ(with("/schema", 2), "schema: expected an integer from 1 to 1, not 2");
  EXPECT_EQ(with("/origin", "guess"), "origin: expected one of paper, calibrated, fitted, datasheet, not \"guess\"");
  EXPECT_EQ(with("/memory_bytes", -1), "memory_bytes: expected a number from 0 to 1e+18, not -1");
  EXPECT_EQ(with("/memory_bytes", 64), "memory_bytes: expected 0 or a number from 1e+06 to 1e+18, not 64");  // GB
  EXPECT_EQ(with("/cache_bytes/L2", 0), "cache_bytes.L2: expected a number from 1024 to 1e+15, not 0");
  EXPECT_EQ(with("/tables/copy/points/0/value", 1e-300),
            "tables.copy.points[0].value: expected a number from 1e+07 to 1e+16, not 1e-300");
  EXPECT_EQ(with("/tables/barrier/points/0/value", 1e-300),
            "tables.barrier.points[0].value: expected 0 or a number from 1e-30 on, not 1e-300");
  EXPECT_EQ(with("/tables/barrier/points/0/value", -1e-9),
            "tables.barrier.points[0].value: expected a number from 0 to 10, not -1e-09");
  EXPECT_EQ(with("/tables/barrier/points/0/value", 250),  // nanoseconds
            "tables.barrier.points[0].value: expected a number from 0 to 10, not 250");
  EXPECT_EQ(with("/tables/copy/points/0/value", 25.6),  // GB/s
            "tables.copy.points[0].value: expected a number from 1e+07 to 1e+16, not 25.6");
  EXPECT_EQ(with("/tables/copy/unit", "GB/s").find("tables.copy.unit: expected one of B/s, 1/s, "), 0U);
  EXPECT_EQ(with("/tables/copy/unit", "1/s"), "tables.copy.unit: expected B/s, not \"1/s\"");
  EXPECT_EQ(with("/tables/copy/points/1/ci95", nlohmann::ordered_json{1e9, 20e9}), "none");
  EXPECT_EQ(with("/tables/copy/points/1/ci95", nlohmann::ordered_json{1e9, 1.5e9}),
            "tables.copy.points[1].ci95: expected two numbers around the value, not [1000000000.0,1500000000.0]");
  EXPECT_EQ(with("/tables/copy/points/0/at/0", -1),
            "tables.copy.points[0].at[0]: expected a number from 0 to 1e+30, not -1");
}

TEST(UnitRanges, AreThoseOfTheSchema) {
  const nlohmann::ordered_json schema = nlohmann::ordered_json::parse(
      read_file(SORTLAB_SOURCE_DIR "/configs/schemas/machine_profile.schema.json").value_or(""));
  std::size_t rules = 0;
  for (const nlohmann::ordered_json& rule : schema["$defs"]["table"]["allOf"]) {
    if (!rule.contains("if")) continue;  // the rule of all units
    ASSERT_LT(rules, kUnitRanges.size());
    const UnitRange& known = kUnitRanges[rules++];
    const std::string name{known.unit};
    const nlohmann::ordered_json of = known.unit.ends_with('/')
                                          ? nlohmann::ordered_json{{"pattern", "^" + name + "[a-z_]+$"}}
                                          : nlohmann::ordered_json{{"const", name}};
    EXPECT_EQ(rule["if"]["properties"]["unit"], of);
    const nlohmann::ordered_json& value = rule["then"]["properties"]["points"]["items"]["properties"]["value"];
    EXPECT_EQ(value["minimum"].get<double>(), known.least) << name;
    EXPECT_EQ(value["maximum"].get<double>(), known.most) << name;
  }
  EXPECT_EQ(rules, kUnitRanges.size());
}

TEST(UnitsOfTables, AreThoseOfTheSchemaAndOfKeptProfiles) {
  const nlohmann::ordered_json schema = nlohmann::ordered_json::parse(
      read_file(SORTLAB_SOURCE_DIR "/configs/schemas/machine_profile.schema.json").value_or(""));
  const auto in_schema = [&](const std::string& table, bool on_device) -> std::optional<std::string> {
    const auto& rules = schema["$defs"][on_device ? "units_of_device" : "units_of_host"];
    std::optional<std::string> found;
    for (const auto& [pattern, rule] : rules["properties"]["tables"]["patternProperties"].items()) {
      if (!std::regex_search(table, std::regex{pattern})) continue;
      EXPECT_FALSE(found) << table << " has two rules";
      found = rule["properties"]["unit"]["const"].get<std::string>();
    }
    return found;
  };
  std::map<std::pair<std::string, bool>, std::string> units;
  const auto take = [&](const MachineProfile& profile, bool on_device) {
    for (const auto& [name, table] : profile.tables) units.emplace(std::pair{name, on_device}, table.unit);
  };
  for (const char* folder : {"/results/reference", "/models/machines"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{SORTLAB_SOURCE_DIR + std::string{folder}}) {
      const std::string file = entry.path().filename().string();
      const bool is_profile = file.starts_with("profile") || std::string_view{folder} == "/models/machines";
      if (!file.ends_with(".json") || !is_profile) continue;
      const MachineProfile profile = read_profile(entry.path().string());
      take(profile, false);
      for (const MachineProfile& device : profile.devices) take(device, true);
    }
  }
  EXPECT_GT(units.size(), 500U);
  for (const auto& [table, unit] : units) {
    const auto& [name, on_device] = table;
    EXPECT_EQ(unit_of_table(name, on_device).value_or(""), unit) << name;
    EXPECT_EQ(in_schema(name, on_device).value_or(""), unit) << name;
  }
  for (const bool on_device : {false, true}) {
    for (const char* name : {"my_sort.partition", "copy_of_mine", "", "loop.", "fitted: rates", "energy.idles"}) {
      EXPECT_EQ(in_schema(name, on_device).value_or(""), unit_of_table(name, on_device).value_or("")) << name;
    }
  }
}

TEST_F(ProfileFile, IsNotReadBeyondItsBounds) {
  const auto said = [&](const std::string& text) {
    write(text);
    return complaint();
  };
  const std::string where = path_.string() + ": ";
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += R"({"a":)";
  EXPECT_EQ(said(R"({"x":)" + deep + "1" + std::string(200000, '}') + R"(,"later":1})"),
            where + "nested too deeply; allowed: 64 levels");
  EXPECT_EQ(said(R"({"clock_hz":1e999})"),
            where + "clock_hz: a number of 5 characters is too large; allowed: -1.8e308 to 1.8e308");
}

TEST(Profile, EstimatesElementsOfWidthsThatNoPointHas) {
  MachineProfile machine{.id = "m", .name = "m", .origin = "calibrated", .source = "this test"};
  machine.tables["kernel"] = {.unit = "s",
                              .source = "",
                              .arguments = {"key_bytes", "value_bytes"},
                              .points = {{{4, 0}, 1, {}}, {{4, 4}, 3, {}}, {{8, 0}, 2, {}}, {{8, 8}, 8, {}}}};
  machine.tables["count"] = {
      .unit = "s", .source = "", .arguments = {"key_bytes"}, .points = {{{4}, 5, {}}, {{8}, 2, {}}}};
  TableLog log;
  machine.log = &log;
  EXPECT_EQ(machine.at("kernel", {4, 4}), 3);
  EXPECT_EQ(log.reads().at("kernel").reading, Reading::exact);
  EXPECT_EQ(machine.at("kernel", {4, 8}), 5);   // as far again as from keys alone to values as wide
  EXPECT_EQ(machine.at("kernel", {8, 4}), 5);   // in the middle
  EXPECT_EQ(machine.at("kernel", {16, 0}), 4);  // 2 more for twice the step from 4 to 8
  EXPECT_EQ(machine.at("kernel", {16, 8}), 10);
  EXPECT_EQ(machine.at("count", {16}), 2);  // at least the smallest that was measured
  EXPECT_EQ(log.reads().at("kernel").reading, Reading::extrapolated);
}

TEST(PapersMachines, AllRead) {
  int machines = 0;
  for (const auto& entry : fs::directory_iterator{SORTLAB_SOURCE_DIR "/models/machines"}) {
    if (entry.path().extension() != ".json") continue;
    const MachineProfile profile = read_profile(entry.path().string());
    EXPECT_EQ(profile.id, entry.path().stem().string());
    if (profile.origin == kDatasheetOrigin) {
      EXPECT_FALSE(profile.base.empty());
      EXPECT_GT(profile.at("datasheet.bandwidth"), 0);
      continue;
    }
    EXPECT_EQ(profile.origin, "paper");
    EXPECT_GT(profile.clock_hz, 1e9);
    ++machines;
  }
  EXPECT_GE(machines, 7);  // Core i7, KNF, GTX 280, GTX 260, GTX 285, Tesla C1060, Titan X
}

}  // namespace
}  // namespace sortlab
