#include "models/table_kind.hpp"

namespace sortlab {
namespace {

/// For profiles from before tables stated it. MB8 and MB11 are pieces of sorts, except for three loops that belong to
/// none; so are the searches, which are a merge sort's, and the work that overlaps with reading, which is a radix
/// sort's counting.
bool runs_sorting_code(std::string_view name, std::string_view source) {
  if (name == "map" || name == "prefix" || name == "part") return false;
  return source.starts_with("MB8:") || source.starts_with("MB11:") || name.starts_with("search.") ||
         name == "overlap.read";
}

}  // namespace

ModelKind table_kind(const MachineProfile& profile, std::string_view name, const ProfileTable& table) {
  if (profile.origin == "paper") return ModelKind::paper;
  if (profile.origin == "fitted") return ModelKind::fitted;
  const bool component = table.kind.empty() ? runs_sorting_code(name, table.source) : table.kind == "component";
  return component ? ModelKind::component : ModelKind::hardware;
}

}  // namespace sortlab
