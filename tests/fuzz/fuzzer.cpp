// libFuzzer's entry: SORTLAB_FUZZ names the target.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.hpp"

namespace {

void (*take)(sortlab::fuzz::Bytes) = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("SORTLAB_FUZZ");
  for (const auto& target : sortlab::fuzz::kTargets) {
    if (name != nullptr && target.name == name) take = target.take;
  }
  if (take == nullptr) {
    std::fprintf(stderr, "SORTLAB_FUZZ: allowed: config, record, profile, command_line\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  take({data, size});
  return 0;
}
