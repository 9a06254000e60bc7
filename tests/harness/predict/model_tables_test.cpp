// A model reads only tables that its kind permits. Checked for all models and all tables that they read from kept
// profiles.
#include "harness/predict/model_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "models/table_kind.hpp"

namespace sortlab {
namespace {

const std::string kReference = SORTLAB_SOURCE_DIR "/results/reference/";

const std::vector<MachineProfile>& machines() {
  static const std::vector<MachineProfile> kept = [] {
    std::vector<MachineProfile> profiles{
        read_profile(kReference + "intel-xeon-emeraldrapids-16c-f8c882fd/profile.json"),
        read_profile(kReference + "intel-xeon-emeraldrapids-16c-f8c882fd/profile_cpu.json"),
        read_profile(kReference + "intel-xeon-emeraldrapids-16c-f8c882fd/profile_stehle.json"),
        read_profile(kReference + "intel-xeon-emeraldrapids-16c-f8c882fd/profile_leischner.json"),
        read_profile(kReference + "intel-xeon-emeraldrapids-16c-f8c882fd/gpu2026/profile.json"),
        read_profile(kReference + "intel-xeon-graniterapids-2c-47e04dc8/profile.json"),
        read_profile(kReference + "amd-epyc-zen4-2c-bafb4314/profile.json")};
    for (const char* name : {"core_i7", "knf", "gtx280", "gtx260", "titan_x_pascal"}) {
      profiles.push_back(read_profile(std::string{SORTLAB_SOURCE_DIR "/models/machines/"} + name + ".json"));
    }
    return profiles;
  }();
  return kept;
}

// All in one process: reading the profiles takes longer than the models do.
TEST(EveryModel, ReadsWhatItsKindMayKnow) {
  for (const Model* model : all_models()) {
    SCOPED_TRACE(model->info().name);
    const ModelKind kind = model->info().kind;
    const TableLog log = find_tables_read(*model, machines());
    if (kind == ModelKind::fitted) continue;  // its coefficients are made on the machine
    bool component = false;
    EXPECT_FALSE(log.reads().empty());
    for (const auto& [name, read] : log.reads()) {
      component = component || read.kind == ModelKind::component;
      EXPECT_EQ(read.kind == ModelKind::paper, kind == ModelKind::paper) << name;
      if (kind == ModelKind::hardware) {
        EXPECT_EQ(read.kind, ModelKind::hardware) << name;
      }
    }
    if (kind == ModelKind::component) {
      EXPECT_TRUE(component) << "it knows no more than a model of kind hardware";
    }
  }
}

TEST(TableKind, IsWhatTheTableSaysOrElseWhatMeasuredIt) {
  MachineProfile machine{.id = "m", .name = "m", .origin = "calibrated", .source = "this test"};
  ProfileTable table{.unit = "s", .source = "MB1: streams", .arguments = {}, .points = {{{}, 1, {}}}};
  EXPECT_EQ(table_kind(machine, "copy", table), ModelKind::hardware);
  EXPECT_EQ(table_kind(machine, "search.path", table), ModelKind::component);
  table.source = "MB11: appending";
  EXPECT_EQ(table_kind(machine, "append", table), ModelKind::component);
  EXPECT_EQ(table_kind(machine, "part", table), ModelKind::hardware);
  table.kind = "hardware";
  EXPECT_EQ(table_kind(machine, "append", table), ModelKind::hardware);
  machine.origin = "paper";
  EXPECT_EQ(table_kind(machine, "append", table), ModelKind::paper);
}

}  // namespace
}  // namespace sortlab
