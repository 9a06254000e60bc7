#include "generators/file_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kPlaceStream = 0;   // random words for the place of a window
constexpr std::uint64_t kSampleStream = 1;  // random words for the elements of a sample

/// The options that follow a path: "keys.npy,column=a,sample=yes".
constexpr std::array<std::string_view, 4> kOptions{"column", "window", "sample", "key"};

/// True if `text` is a list of these options, with a value each.
bool is_options(std::string_view text) {
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals + 1 == item.size()) return false;
    if (std::ranges::find(kOptions, item.substr(0, equals)) == kOptions.end()) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

bool is_sample(const Parameters& parameters) {
  return parameters.word("sample") == "yes";
}

std::uint64_t window(const Parameters& parameters) {
  return static_cast<std::uint64_t>(parameters.integer("window"));
}

}  // namespace

std::string_view path_in(std::string_view text) {
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',', comma + 1)) {
    if (is_options(text.substr(comma + 1))) return text.substr(0, comma);
  }
  return text;
}

GivenParameters read_file_text(std::string_view kind, std::string_view text, std::string_view whole,
                               const OpenFile& open) {
  if (text.starts_with("name=")) {
    GivenParameters given = split_parameters(text, whole);
    const std::string& digest = given["digest"];
    if (digest.size() != 16 || digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
      throw BadInput(
          fmt::format("'{}': the digest has 16 hexadecimal digits; a file is named by {}:PATH", whole, kind));
    }
    return given;
  }
  const std::string path{path_in(text)};
  if (path.empty()) throw BadInput(fmt::format("'{}': names no file; allowed: {}:PATH", whole, kind));
  GivenParameters given;
  if (path.size() < text.size()) given = split_parameters(text.substr(path.size() + 1), whole);
  given["digest"] = open(path, given);
  given["name"] = escaped_text(std::filesystem::path{path}.filename().string());
  return given;
}

std::vector<Parameter> file_parameters(const std::string& element, const std::string& digested) {
  return {
      {.name = "name",
       .meaning = "the file's name, without its folder",
       .standard = std::string{},
       .always_shown = true,
       .text = true},
      {.name = "digest",
       .meaning = "first 16 digits of a SHA-256 tree over " + digested,
       .standard = std::string{},
       .always_shown = true,
       .text = true},
      {.name = "window",
       .meaning =
           "first " + element + " taken; auto: where n is less than the file holds, another place for each sample",
       .standard = std::string{"auto"},
       .range = {0, 0x1p40}},
      {.name = "sample",
       .meaning = "yes: " + element + "s spread over the whole file, other ones for each sample, in the file's order",
       .standard = std::string{"no"},
       .choices = {"no", "yes"}}};
}

FilePart::FilePart(const Input& input, std::uint64_t held)
    : held_(held), n_(input.n), seed_(input.seed), sample_(sortlab::is_sample(input.parameters)) {
  if (sample_) return;
  // The place follows from the seed where `window` is auto.
  first_ = input.parameters.is_auto("window") ? scaled(random64(philox(seed_, 0, kPlaceStream).data()), held - n_ + 1)
                                              : window(input.parameters);
}

std::uint64_t FilePart::place(std::uint64_t i) const {
  if (!sample_) return first_ + i;
  // A random element in part i of n equal parts, so that a sample keeps the file's order.
  const std::uint64_t begin = part_begin(0, held_, n_, i);
  const std::uint64_t end = part_begin(0, held_, n_, i + 1);
  return begin + scaled(random64(philox(seed_, i, kSampleStream).data()), end - begin);
}

std::optional<std::string> declined_part(const Input& input, std::optional<std::uint64_t> held,
                                         std::string_view element) {
  const std::string& name = input.parameters.word("name");
  if (name.empty()) return fmt::format("names no file; allowed: {}:PATH", element == "line" ? "lines" : "file");
  if (!held) {
    return fmt::format("the file {} with the digest {} is not known here; name it by --input", name,
                       input.parameters.word("digest"));
  }
  const bool placed = !input.parameters.is_auto("window");
  if (is_sample(input.parameters) && placed) {
    return fmt::format("sample=yes takes {}s from the whole file; leave window out", element);
  }
  const std::uint64_t first = placed ? window(input.parameters) : 0;
  if (first <= *held && input.n <= *held - first) return std::nullopt;
  if (first == 0) return fmt::format("{} holds {} {}s, not {}", name, *held, element, input.n);
  return fmt::format("{0} holds {1} {2}s, not {3} from {2} {4} on", name, *held, element, input.n, first);
}

Parameters resolved_part(const Input& input, std::optional<std::uint64_t> held) {
  Parameters parameters = input.parameters;
  if (held == input.n && parameters.is_auto("window") && !is_sample(parameters)) {
    parameters.set("window", std::int64_t{0});
  }
  return parameters;
}

bool is_one_part(const Input& input, std::optional<std::uint64_t> held) {
  return !held || input.n >= *held || !input.parameters.is_auto("window");
}

}  // namespace sortlab
