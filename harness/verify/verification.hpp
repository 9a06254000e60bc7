// Digest of an input, and verdict on an output.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace sortlab {

/// Digest of an input. For records (verify_records.hpp) a pair is a key with its payload.
struct InputDigest {
  std::uint64_t n = 0;
  std::uint64_t keys = 0;   ///< digest of the multiset of keys
  std::uint64_t pairs = 0;  ///< digest of the multiset of (key, value); 0 without values
};

struct Verification {
  bool order = false;             ///< ascending by KeyLess, or by the declared order
  bool multiset = false;          ///< the keys of the input, each as often
  std::optional<bool> pairing;    ///< each value with its key; nullopt without values
  std::optional<bool> stability;  ///< equal keys in input order; nullopt unless claimed and visible
  std::optional<bool> tiles;      ///< each element in its input's tile; nullopt unless required and visible
  std::string ordered_by;         ///< the order in words, if not that of the whole key; else empty
  std::string digest;             ///< digest of the output's multiset of keys, 16 hexadecimal digits
  std::string reason;             ///< the fault in words; empty if there is none

  bool ok() const { return reason.empty(); }
};

/// `verification` of a record, without the reason, which is stored beside it; and the inverse, which throws
/// nlohmann::json::exception.
nlohmann::ordered_json to_json(const Verification& verification);
Verification verification_from_json(const nlohmann::ordered_json& json);

}  // namespace sortlab
