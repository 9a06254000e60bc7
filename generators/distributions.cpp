#include <algorithm>

#include <fmt/format.h>

#include "generators/distribution.hpp"

namespace sortlab {
namespace {

// Function-local, so that it exists before the first registration.
std::vector<std::unique_ptr<Distribution>>& owned() {
  static std::vector<std::unique_ptr<Distribution>> distributions;
  return distributions;
}

std::vector<const Distribution*>& by_name() {
  static std::vector<const Distribution*> distributions;
  return distributions;
}

}  // namespace

void adopt(const Distribution& distribution) {
  by_name().push_back(&distribution);
  std::ranges::sort(by_name(), {}, [](const Distribution* d) { return d->info().name; });
}

RegisterDistribution::RegisterDistribution(std::unique_ptr<Distribution> distribution) {
  adopt(*distribution);
  owned().push_back(std::move(distribution));
}

const std::vector<const Distribution*>& all_distributions() {
  return by_name();
}

const Distribution& distribution_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Distribution* distribution : all_distributions()) {
    if (distribution->info().name == name) return *distribution;
    names.push_back(distribution->info().name);
  }
  throw BadInput(
      fmt::format("dist: unknown distribution '{}'{}; allowed: {}", name, did_you_mean(name, names), join(names)));
}

NamedDistribution parse_distribution(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string name{text.substr(0, colon)};
  const Distribution& distribution = distribution_named(name);
  const GivenParameters given =
      colon == std::string_view::npos ? GivenParameters{} : distribution.read_given(text.substr(colon + 1), text);
  const auto& declared = distribution.info().parameters;
  Parameters parameters = resolve(fmt::format("distribution {}", name), declared, given);
  std::string canonical = short_text(name, declared, parameters);
  return {&distribution, std::move(parameters), std::move(canonical)};
}

NamedDistribution canonical(const NamedDistribution& named, KeyType key, std::uint64_t n) {
  const auto& declared = named.distribution->info().parameters;
  const Value automatic{std::string{"auto"}};
  NamedDistribution made = named;
  for (const Parameter& parameter : declared) {
    if (parameter.standard != automatic || made.parameters.is_auto(parameter.name)) continue;
    Input input{.key = key, .n = n, .parameters = made.parameters};
    input.parameters.set(parameter.name, automatic);
    const Parameters resolved = named.distribution->resolved(input);
    if (resolved.all().at(parameter.name) == made.parameters.all().at(parameter.name))
      made.parameters = input.parameters;
  }
  made.text = short_text(named.distribution->info().name, declared, made.parameters);
  return made;
}

}  // namespace sortlab
