#include "core/build_digest.hpp"

#include <map>
#include <stdexcept>

namespace sortlab {
namespace {

std::map<std::string, std::string, std::less<>>& digests() {
  static std::map<std::string, std::string, std::less<>> all;
  return all;
}

}  // namespace

RegisterBuildDigest::RegisterBuildDigest(std::string_view algorithm, std::string_view digest) {
  digests().emplace(algorithm, digest);
}

const std::string* find_build_digest(std::string_view algorithm) {
  const auto found = digests().find(algorithm);
  return found == digests().end() ? nullptr : &found->second;
}

const std::string& build_digest(std::string_view algorithm) {
  const std::string* const found = find_build_digest(algorithm);
  if (found == nullptr) throw std::out_of_range("no build digest for " + std::string{algorithm});
  return *found;
}

}  // namespace sortlab
