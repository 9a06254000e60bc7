// A module: a shared library with sorts, distributions, or both, built against an installed Sortlab
// (sortlab_add_algorithm of its CMake package). The program loads it when it starts.
//
// A module contains every function of the contract that it calls (libsortlab_module.a) and exports one object,
// `sortlab_module`. The program exports nothing to it. If the module's symbols were resolved from the program, two
// things would break silently. A template of the module, such as std::sort, would be bound to the program's copy,
// compiled with other flags than those to be measured. And a plug-in of another contract would register itself, with
// the wrong layout, before its version could be checked. So the program reads the version from data first, and only
// then takes over the sorts.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/component.hpp"

namespace sortlab {

class Distribution;  // generators/distribution.hpp

/// Version of the headers that a module and the program share (plugin.hpp, component.hpp, distribution.hpp and what
/// these include). It is
/// raised with each change after which older modules must not run. tests/package/test_contract.py notices such changes.
inline constexpr std::uint32_t kContractVersion = 6;

/// FNV-1a hash of the sizes of the types passed between the two. It differs if the C++ libraries differ, or if someone
/// forgot to raise kContractVersion.
constexpr std::uint64_t contract_layout() {
  constexpr std::array sizes{sizeof(Problem),      sizeof(Resources),     sizeof(Buffers),   sizeof(Limit),
                             sizeof(KnownFailure), sizeof(Info),          sizeof(Parameter), sizeof(Parameters),
                             sizeof(Value),        sizeof(Order),         sizeof(Record),    sizeof(PhaseSpan),
                             sizeof(PhaseTimer),   sizeof(Postcondition), sizeof(Component)};
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint64_t size : sizes) hash = (hash ^ size) * 0x100000001b3;
  return hash;
}

/// The object `sortlab_module`. `contract` and `layout` never move: they tell if the other members have this layout.
struct ModuleFacts {
  std::uint32_t contract;  ///< kContractVersion
  std::uint32_t unused;
  std::uint64_t layout;   ///< contract_layout()
  const char* sortlab;    ///< version of the package that it was built against
  const char* compiler;   ///< name and version
  const char* flags;      ///< flags of the C++ compiler, from CMake
  const char* resources;  ///< digests of the files that it starts or reads: part of its identity
  const std::vector<std::unique_ptr<Algorithm>>& (*algorithms)();
  const std::vector<std::unique_ptr<Component>>& (*components)();
  const std::vector<std::unique_ptr<Distribution>>& (*distributions)();
};

/// The module's own registry, filled by its static objects and handed to the program.
const std::vector<std::unique_ptr<Algorithm>>& algorithms_of_module();
const std::vector<std::unique_ptr<Component>>& components_of_module();
const std::vector<std::unique_ptr<Distribution>>& distributions_of_module();

/// Adds a module's algorithm or component to the program's registry. The module must stay loaded.
void adopt(const Algorithm& algorithm);
void adopt(const Component& component);

}  // namespace sortlab
