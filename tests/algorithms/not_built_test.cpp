// Peers that this build omits are registered anyway, and say what they need.
#include "algorithms/not_built.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "algorithms/plugin.hpp"
#include "core/build_digest.hpp"
#include "harness/commands/catalogue.hpp"

namespace sortlab {
namespace {

/// The algorithms that a folder must hold: one of its name, or one for each source that bears its library's name, as
/// boost_sort/boost_pdqsort.cpp does.
std::vector<std::string> algorithms_in(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  const std::string library = name.substr(0, name.find('_') + 1);
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator{folder}) {
    const std::string stem = file.path().stem().string();
    if (file.path().extension() == ".cpp" && stem == name) return {name};
    if (file.path().extension() == ".cpp" && stem.starts_with(library)) names.push_back(stem);
  }
  return names.size() > 1 ? names : std::vector{name};
}

TEST(NotBuilt, EachFolderIsKnownWhetherItIsBuiltOrNot) {
  int folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator{SORTLAB_SOURCE_DIR "/algorithms"}) {
    if (!exists(entry.path() / "CMakeLists.txt") || entry.path().filename().string().starts_with('_')) continue;
    for (const std::string& name : algorithms_in(entry.path())) EXPECT_NO_THROW(algorithm_named(name)) << name;
    ++folders;
  }
  EXPECT_GT(folders, 0);
  EXPECT_EQ(algorithms_in(SORTLAB_SOURCE_DIR "/algorithms/boost_sort").size(), 8);
}

TEST(NotBuilt, SaysWhichOptionBringsIt) {
  for (const NotBuilt& peer : not_built()) {
    const Algorithm& algorithm = algorithm_named(peer.name);
    ASSERT_TRUE(algorithm.unavailable()) << peer.name;
    const std::string way = *peer.option == '\0' ? "for x86 processors only" : std::string{"-D "} + peer.option;
    EXPECT_NE(algorithm.unavailable()->find(way), std::string::npos) << peer.name;
    EXPECT_EQ(build_digest(peer.name).size(), 16U) << peer.name;
    EXPECT_EQ(algorithm.info().runs_on, peer.runs_on) << peer.name;  // the processor that configs assume
    for (const KeyType key : kKeyTypes) {
      const Resources many{.threads = 4, .cpus = {}};
      EXPECT_EQ(refusal(algorithm, {.key = key, .n = 100}, {}, many), algorithm.unavailable()) << peer.name;
    }
  }
}

TEST(NotBuilt, TheListShowsTheReason) {
  for (const auto& entry : algorithm_catalogue()) {
    for (const NotBuilt& peer : not_built()) {
      EXPECT_FALSE(entry["name"] == peer.name && entry["runs_here"]) << peer.name;
    }
  }
}

}  // namespace
}  // namespace sortlab
