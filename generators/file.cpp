// Keys of a user's file: all of them, consecutive ones, or a sample.
//
// An input is named by the file's name and by a digest of its keys, so that the same file is the same input on every
// machine. The path stays in the process that was given it, and in its workers.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <mutex>

#include "core/parallel.hpp"
#include "generators/distribution.hpp"
#include "generators/key_file.hpp"
#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kPlaceStream = 0;   // random words for the place of a window
constexpr std::uint64_t kSampleStream = 1;  // random words for the keys of a sample
constexpr std::uint64_t kGrain = 4096;      // keys that a thread reads at a time
/// Largest gap between the keys of a sample that is read over instead of being left out.
constexpr std::uint64_t kReadOverBytes = 4096;

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

/// Length of the path that `text` begins with: all up to its options. A path may hold commas.
std::size_t path_bytes(std::string_view text) {
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',', comma + 1)) {
    if (is_options(text.substr(comma + 1))) return comma;
  }
  return text.size();
}

class FileKeys final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  GivenParameters read_given(std::string_view text, std::string_view whole) const override {
    if (text.starts_with("name=")) {
      GivenParameters given = split_parameters(text, whole);
      const std::string& digest = given["digest"];
      if (digest.size() != 16 || digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
        throw BadInput(fmt::format("'{}': the digest has 16 hexadecimal digits; a file is named by file:PATH", whole));
      }
      return given;
    }
    const std::size_t length = path_bytes(text);
    if (length == 0) throw BadInput(fmt::format("'{}': names no file; allowed: file:PATH", whole));
    GivenParameters given;
    if (length < text.size()) given = split_parameters(text.substr(length + 1), whole);
    KeyFileName name{.path = std::string{text.substr(0, length)}};
    if (const auto column = given.find("column"); column != given.end()) name.column = unescaped_text(column->second);
    if (const auto key = given.find("key"); key != given.end()) {
      name.raw = value_named<KeyType>(key->second);
      if (!name.raw) {
        throw BadInput(
            fmt::format("'{}': unknown type '{}'; allowed: {}", whole, key->second, join(all_names<KeyType>())));
      }
      given.erase(key);
    }
    const KeyFile file = open_key_file(name);
    add_key_file(file);
    given["name"] = escaped_text(std::filesystem::path{name.path}.filename().string());
    given["digest"] = file.digest;
    if (!file.column.empty()) given["column"] = escaped_text(file.column);
    return given;
  }

  std::optional<KeyExtent> extent(const Parameters& parameters) const override {
    const KeyFile* const file = known(parameters);
    if (file == nullptr) return std::nullopt;
    return KeyExtent{.key = file->key, .n = file->n};
  }

  std::optional<std::string> declines(const Input& input) const override {
    const std::string& name = input.parameters.word("name");
    if (name.empty()) return "names no file; allowed: file:PATH";
    const KeyFile* const file = known(input.parameters);
    if (file == nullptr) {
      return fmt::format("the file {} with the digest {} is not known here; name it by --input", name,
                         input.parameters.word("digest"));
    }
    if (input.key != file->key) return fmt::format("{} holds {}, not {}", name, to_name(file->key), to_name(input.key));
    if (is_sample(input) && !input.parameters.is_auto("window")) {
      return "sample=yes takes keys from the whole file; leave window out";
    }
    const std::uint64_t first = input.parameters.is_auto("window") ? 0 : window(input);
    if (first <= file->n && input.n <= file->n - first) return std::nullopt;
    if (first == 0) return fmt::format("{} holds {} keys, not {}", name, file->n, input.n);
    return fmt::format("{} holds {} keys, not {} from key {} on", name, file->n, input.n, first);
  }

  Parameters resolved(const Input& input) const override {
    Parameters parameters = input.parameters;
    const KeyFile* const file = known(parameters);
    const bool whole = file != nullptr && input.n == file->n;
    if (whole && parameters.is_auto("window") && !is_sample(input)) parameters.set("window", std::int64_t{0});
    return parameters;
  }

  bool has_one_input(const Input& input) const override {
    const KeyFile* const file = known(input.parameters);
    return file == nullptr || input.n >= file->n || !input.parameters.is_auto("window");
  }

  std::string facts_for_workers(const Parameters& parameters) const override {
    const KeyFile* const file = known(parameters);
    return file == nullptr ? "" : to_text(*file);
  }

  void take_facts(std::string_view facts) const override { add_key_file(key_file_from_text(facts)); }

  bool needs_total_order(const Input& input) const override {
    if (!is_float(input.key)) return false;
    const KeyFile* const file = known(input.parameters);
    return file == nullptr || file->odd_floats;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    const KeyFile& file = file_for(input);
    const KeyFileReader reader{file};
    auto* const bytes = static_cast<std::byte*>(keys);
    const std::uint32_t width = byte_size(file.key);
    std::exception_ptr failure;
    std::mutex keeping;
    in_parallel(input.n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
      try {
        read(input, file, reader, {begin, end - begin}, bytes + begin * width);
      } catch (...) {
        const std::scoped_lock lock{keeping};
        failure = std::current_exception();
      }
    });
    if (failure) std::rethrow_exception(failure);
    reader.check_unchanged();
  }

  bool has_ranges() const override { return true; }

  void fill_ranges(const Input& input, std::span<const KeyRange> ranges, void* keys) const override {
    const KeyFile& file = file_for(input);
    const KeyFileReader reader{file};
    auto* to = static_cast<std::byte*>(keys);
    for (const KeyRange& range : ranges) {
      read(input, file, reader, range, to);
      to += range.count * byte_size(file.key);
    }
    reader.check_unchanged();
  }

 private:
  static const KeyFile* known(const Parameters& parameters) { return key_file(parameters.word("digest")); }

  static const KeyFile& file_for(const Input& input) {
    const KeyFile* const file = known(input.parameters);
    if (file == nullptr) throw BadInput(fmt::format("file {}: is not known here", input.parameters.word("name")));
    return *file;
  }

  static bool is_sample(const Input& input) { return input.parameters.word("sample") == "yes"; }

  static std::uint64_t window(const Input& input) {
    return static_cast<std::uint64_t>(input.parameters.integer("window"));
  }

  /// First key of the input in the file; where `window` is auto, a place that follows from the seed.
  static std::uint64_t first_key(const Input& input, const KeyFile& file) {
    if (!input.parameters.is_auto("window")) return window(input);
    const auto words = philox(input.seed, 0, kPlaceStream);
    return scaled(random64(words.data()), file.n - input.n + 1);
  }

  static void read(const Input& input, const KeyFile& file, const KeyFileReader& reader, const KeyRange& range,
                   std::byte* to) {
    if (is_sample(input)) {
      read_sample(input, file, reader, range, to);
    } else {
      reader.read(first_key(input, file) + range.first, range.count, to);
    }
  }

  /// Place of key i of a sample: a random one in part i of n equal parts of the file, so that the sample keeps the
  /// file's order.
  static std::uint64_t sampled_place(const Input& input, const KeyFile& file, std::uint64_t i) {
    const std::uint64_t begin = part_begin(0, file.n, input.n, i);
    const std::uint64_t end = part_begin(0, file.n, input.n, i + 1);
    const auto words = philox(input.seed, i, kSampleStream);
    return begin + scaled(random64(words.data()), end - begin);
  }

  static void read_sample(const Input& input, const KeyFile& file, const KeyFileReader& reader, const KeyRange& range,
                          std::byte* to) {
    const std::uint32_t width = byte_size(file.key);
    const bool dense = file.n / input.n * file.step <= kReadOverBytes;
    std::vector<std::byte> span;
    const std::uint64_t at_once = dense ? kGrain : 1;
    for (std::uint64_t done = 0; done < range.count; done += at_once) {
      const std::uint64_t first = range.first + done;
      const std::uint64_t last = std::min(range.first + range.count, first + at_once) - 1;
      const std::uint64_t begin = sampled_place(input, file, first);
      const std::uint64_t count = sampled_place(input, file, last) + 1 - begin;
      span.resize(count * width);
      reader.read(begin, count, span.data());
      for (std::uint64_t i = first; i <= last; ++i) {
        const std::byte* const key = span.data() + (sampled_place(input, file, i) - begin) * width;
        std::copy_n(key, width, to + (i - range.first) * width);
      }
    }
  }

  DistributionInfo info_{
      .name = "file",
      .title = "Keys of a file of your own: file:PATH",
      .source = "a .npy file of one dimension or a column of one, or raw little-endian keys",
      .parameters = {
          {.name = "name",
           .meaning = "the file's name, without its folder",
           .standard = std::string{},
           .always_shown = true,
           .text = true},
          {.name = "column", .meaning = "field of a structured type", .standard = std::string{}, .text = true},
          {.name = "digest",
           .meaning = "first 16 digits of a SHA-256 tree over key type, number of keys and keys",
           .standard = std::string{},
           .always_shown = true,
           .text = true},
          {.name = "window",
           .meaning = "first key taken; auto: where n is less than the file holds, another place for each sample",
           .standard = std::string{"auto"},
           .range = {0, 0x1p40}},
          {.name = "sample",
           .meaning = "yes: keys spread over the whole file, other ones for each sample, in the file's order",
           .standard = std::string{"no"},
           .choices = {"no", "yes"}}}};
};

const RegisterDistribution registered{std::make_unique<FileKeys>()};

}  // namespace
}  // namespace sortlab
