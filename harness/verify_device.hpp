#pragma once
#include "harness/verify.hpp"
namespace sortlab {
InputDigest digest_on_device(const Buffers& input, const Problem& problem, void* stream);
Verification verify_on_device(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable, void* stream);
}
