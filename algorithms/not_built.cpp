#include "algorithms/not_built.hpp"

#include <fmt/format.h>

#include "core/build_digest.hpp"

namespace sortlab {
namespace {

/// Stands for a plug-in that is not built, so that a config may name it and a record says why it was skipped.
class Absent final : public Algorithm {
 public:
  explicit Absent(const NotBuilt& peer)
      : reason_(*peer.option == '\0'
                    ? fmt::format("{} is for x86 processors only", peer.what)
                    : fmt::format("not in this build, which needs {}: configure with -D {}=<where it is>", peer.what,
                                  peer.option)) {
    info_.name = peer.name;
    info_.title = fmt::format("{}, not in this build", peer.what);
    info_.source = peer.what;
    info_.family = "unknown";
    info_.layouts = {Layout::separate, Layout::together};
    info_.runs_on = peer.runs_on;
    info_.parallel = peer.runs_on == Processor::host;
  }
  const Info& info() const override { return info_; }
  std::optional<std::string> unavailable() const override { return reason_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return nullptr;  // never called: the sort is unavailable
  }

 private:
  std::string reason_;
  Info info_{};
};

/// Build digest of a sort that is not built. It differs from any real one, so that skipped cells are measured later.
constexpr std::string_view kNoDigest = "0000000000000000";

const bool registered = [] {
  for (const NotBuilt& peer : not_built()) {
    const Register in_registry{std::make_unique<Absent>(peer)};
    const RegisterBuildDigest digest{peer.name, kNoDigest};
  }
  return true;
}();

}  // namespace
}  // namespace sortlab
