// Device sorts that fail on purpose.
#pragma once

#include <stdexcept>

#include "algorithms/common/adapters/device_algorithm.hpp"
#include "core/build_digest.hpp"

namespace sortlab {

enum class Misbehaviour { none, illegal_address, endless_loop, launch_failure, out_of_memory, disorder, doubled_key };

/// Sorts u32 keys with `sorter`, and misbehaves from the second call on (the first is the warm-up).
std::unique_ptr<Sorter> make_planted(std::unique_ptr<Sorter> sorter, Misbehaviour misbehaviour,
                                     const Resources& resources);

/// A library's stable sort of this family without parameters, for tests that need some device sort.
inline const Algorithm& library_sort(std::string_view family = "radix") {
  for (const Algorithm* algorithm : all_algorithms()) {
    const Info& info = algorithm->info();
    const bool plain = info.stable && info.parameters.empty() && info.family == family;
    if (info.runs_on == Processor::device && info.origin == Origin::peer && plain) return *algorithm;
  }
  throw std::logic_error("no such sort of a library on a device");
}

/// This sort with a misbehaviour, to be registered.
template <Misbehaviour misbehaviour>
std::unique_ptr<Sorter> make_planted_library_sort(const Problem& problem, const Parameters& parameters,
                                                  const Resources& resources) {
  return make_planted(library_sort().prepare(problem, parameters, resources), misbehaviour, resources);
}

/// Registers it for the life of the program.
struct Plant {
  Plant(const char* name, DeviceAlgorithm::MakeSorter make)
      : digest(name, "00000000000000aa"),
        algorithm(std::make_unique<DeviceAlgorithm>(Info{.name = name,
                                                         .title = "planted",
                                                         .source = "",
                                                         .family = "",
                                                         .keys = {KeyType::u32},
                                                         .values = {ValueType::none}},
                                                    make)) {}
  RegisterBuildDigest digest;
  Register algorithm;
};

}  // namespace sortlab
