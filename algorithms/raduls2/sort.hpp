// The one function of RADULS 2, in a separate file since it is C++14 and needs its own flags.
#pragma once

#include <cstdint>

namespace sortlab {
namespace external {

/// Alignment of input and scratch in bytes.
constexpr std::uint64_t kRadulsAlignment = 256;

/// Sorts n records of record_bytes (a multiple of 8, to 32) by the little-endian number in their first key_bytes. The
/// result lies in `scratch` if key_bytes is odd.
void raduls_sort(void* input, void* scratch, std::uint64_t n, std::uint32_t record_bytes, std::uint32_t key_bytes,
                 std::uint32_t threads);

const char* raduls_version();

}  // namespace external
}  // namespace sortlab
