// A module: sorts in a shared library of their own, built against an installed Sortlab (sortlab_add_algorithm of its
// CMake package) and loaded by the program when it starts.
//
// A module carries all that it calls of the contract (libsortlab_module.a) and exports one object, `sortlab_module`;
// the program exports nothing to it. If symbols were resolved from the program, two things would break silently: a
// template of the module, such as std::sort, would be bound to the program's copy, compiled with other flags than those
// to be measured; and a plug-in of another contract would register itself, with the wrong layout, before its version
// could be checked. So the program reads the version from data first, and takes the sorts over only then.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/component.hpp"

namespace sortlab {

/// Raised with each change of the headers that a module and the program share (plugin.hpp, component.hpp and what these
/// include) after which a module compiled before must not run. tests/package/test_contract.py notices such changes.
inline constexpr std::uint32_t kContractVersion = 3;

/// FNV-1a of the sizes of the types passed between the two: differs if the C++ libraries do, or if kContractVersion was
/// not raised.
constexpr std::uint64_t contract_layout() {
  constexpr std::array sizes{sizeof(Problem),      sizeof(Resources),     sizeof(Buffers),   sizeof(Limit),
                             sizeof(KnownFailure), sizeof(Info),          sizeof(Parameter), sizeof(Parameters),
                             sizeof(Value),        sizeof(Order),         sizeof(Record),    sizeof(PhaseSpan),
                             sizeof(PhaseTimer),   sizeof(Postcondition), sizeof(Component)};
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint64_t size : sizes) hash = (hash ^ size) * 0x100000001b3;
  return hash;
}

/// The object `sortlab_module`. The first two members never move: they tell whether the others have this layout.
struct ModuleFacts {
  std::uint32_t contract;  ///< kContractVersion
  std::uint32_t unused;
  std::uint64_t layout;   ///< contract_layout()
  const char* sortlab;    ///< the version of the package that it was built against
  const char* compiler;   ///< name and version
  const char* flags;      ///< of the C++ compiler, as CMake has them
  const char* resources;  ///< digests of files that it starts or reads: part of its identity
  const std::vector<std::unique_ptr<Algorithm>>& (*algorithms)();
  const std::vector<std::unique_ptr<Component>>& (*components)();
};

/// What this library's static objects have registered: the module's own registry, which it hands over.
const std::vector<std::unique_ptr<Algorithm>>& algorithms_of_module();
const std::vector<std::unique_ptr<Component>>& components_of_module();

/// In the program: adds a module's algorithms to the registry. The module must stay loaded.
void adopt(const Algorithm& algorithm);
void adopt(const Component& component);

}  // namespace sortlab
