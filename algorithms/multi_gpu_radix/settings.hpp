// Parameters of the sort.
#pragma once

#include "algorithms/multi_gpu_radix/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::multi_gpu {

inline Settings resolve_settings(const Parameters& parameters) {
  return {.transport = chosen("transport", parameters.word("transport"), kTransports),
          .stable = chosen("stable", parameters.word("stable"), kYesOrNo)};
}

}  // namespace sortlab::multi_gpu
