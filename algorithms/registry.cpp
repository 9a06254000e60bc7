#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "algorithms/module.hpp"

namespace sortlab {
namespace {

// Function-local, so that it exists before the first registration.
std::vector<std::unique_ptr<Algorithm>>& owned() {
  static std::vector<std::unique_ptr<Algorithm>> algorithms;
  return algorithms;
}

std::vector<const Algorithm*>& by_name() {
  static std::vector<const Algorithm*> algorithms;
  return algorithms;
}

std::vector<std::unique_ptr<Component>>& owned_components() {
  static std::vector<std::unique_ptr<Component>> components;
  return components;
}

std::vector<const Component*>& components_by_name() {
  static std::vector<const Component*> components;
  return components;
}

/// The reason why the shards are not a problem's, or nullopt.
std::optional<std::string> fault_in_shards(const Problem& problem) {
  if (problem.residency != Residency::shards) return std::nullopt;
  std::uint64_t sum = 0;
  for (const std::uint64_t count : problem.shards) {
    if (count > std::numeric_limits<std::uint64_t>::max() - sum) return "the sizes of its shards overflow 64 bits";
    sum += count;
  }
  if (sum == problem.n) return std::nullopt;
  return fmt::format("its shards hold {} elements, not {}", sum, problem.n);
}

}  // namespace

void adopt(const Algorithm& algorithm) {
  by_name().push_back(&algorithm);
  std::ranges::sort(by_name(), {}, [](const Algorithm* a) { return a->info().name; });
}

Register::Register(std::unique_ptr<Algorithm> algorithm) {
  adopt(*algorithm);
  owned().push_back(std::move(algorithm));
}

const std::vector<const Algorithm*>& all_algorithms() {
  return by_name();
}

const Algorithm& algorithm_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Algorithm* algorithm : all_algorithms()) {
    if (algorithm->info().name == name) return *algorithm;
    names.push_back(algorithm->info().name);
  }
  throw BadInput(fmt::format("algorithm: unknown name '{}'{}; `sortlab list algorithms` shows all", name,
                             did_you_mean(name, names)));
}

std::optional<std::string> refusal(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters,
                                   const Resources& resources) {
  if (auto reason = algorithm.unavailable()) return reason;
  return refusal_anywhere(algorithm, problem, parameters, resources);
}

std::optional<std::string> refusal_anywhere(const Algorithm& algorithm, const Problem& problem,
                                            const Parameters& parameters, const Resources& resources) {
  const Info& info = algorithm.info();
  if (info.runs_on == Processor::host && problem.residency != Residency::host) {
    return std::string{"sorts on the host's processors: residency must be host"};
  }
  if (info.runs_on == Processor::device && problem.residency == Residency::host) {
    return std::string{"sorts on a device: residency must be device or end_to_end"};
  }
  if (info.runs_on == Processor::both && problem.residency != Residency::end_to_end) {
    return std::string{"sorts on a device and the host's processors at once: residency must be end_to_end"};
  }
  if ((info.runs_on == Processor::devices) != (problem.residency == Residency::shards)) {
    return std::string{info.runs_on == Processor::devices ? "sorts shards on several devices: residency must be shards"
                                                          : "sorts one array: residency must not be shards"};
  }
  if (auto reason = fault_in_shards(problem)) return reason;
  if (std::ranges::find(info.keys, problem.key) == info.keys.end()) {
    return fmt::format("does not sort {} keys", to_name(problem.key));
  }
  if (std::ranges::find(info.values, problem.value) == info.values.end()) {
    return problem.value == ValueType::none ? std::string{"does not sort keys without values"}
                                            : fmt::format("does not carry {} values", to_name(problem.value));
  }
  if (problem.value != ValueType::none && std::ranges::find(info.layouts, problem.layout) == info.layouts.end()) {
    return std::string{"does not take keys and values in this layout"};
  }
  if (resources.threads > 1 && !info.parallel) return std::string{"is sequential: threads must be 1"};
  return algorithm.declines(problem, parameters, resources);
}

void adopt(const Component& component) {
  components_by_name().push_back(&component);
  std::ranges::sort(components_by_name(), {}, [](const Component* c) { return std::tie(c->algorithm, c->name); });
}

RegisterComponent::RegisterComponent(Component component) {
  owned_components().push_back(std::make_unique<Component>(std::move(component)));
  adopt(*owned_components().back());
}

const std::vector<const Component*>& all_components() {
  return components_by_name();
}

const Component& component_named(const Algorithm& algorithm, std::string_view name) {
  std::vector<std::string> names;
  for (const Component* component : all_components()) {
    if (component->algorithm != algorithm.info().name) continue;
    if (component->name == name) return *component;
    names.push_back(component->name);
  }
  throw BadInput(fmt::format("component: {} has no '{}'{}; allowed: {}", algorithm.info().name, name,
                             did_you_mean(name, names), names.empty() ? "none" : join(names)));
}

}  // namespace sortlab
