// External sorts that this build omits because their source folders were not given, or has from other sources than
// those of the kept records.
#pragma once

#include <span>

#include "algorithms/plugin.hpp"

namespace sortlab {

struct NotBuilt {
  const char* name;    ///< the plug-in
  const char* what;    ///< the library
  const char* option;  ///< CMake variable with its location; empty: it is for x86 processors only
  Processor runs_on;
};
std::span<const NotBuilt> not_built();

/// A library whose sources are not those of peers.lock.
struct OtherPeer {
  const char* what;    ///< the library
  const char* built;   ///< the sources in this build
  const char* locked;  ///< the commit in peers.lock
};
std::span<const OtherPeer> other_peers();

}  // namespace sortlab
