#include "algorithms/raduls2/sort.hpp"

#include <raduls.h>

static_assert(sortlab::external::kRadulsAlignment == raduls::ALIGNMENT, "RADULS changed its alignment");

namespace sortlab {
namespace external {

void raduls_sort(void* input, void* scratch, std::uint64_t n, std::uint32_t record_bytes, std::uint32_t key_bytes,
                 std::uint32_t threads) {
  raduls::RadixSortMSD(static_cast<std::uint8_t*>(input), static_cast<std::uint8_t*>(scratch), n, record_bytes,
                       key_bytes, threads);
}

const char* raduls_version() {
  return RADULS_VER;
}

}  // namespace external
}  // namespace sortlab
