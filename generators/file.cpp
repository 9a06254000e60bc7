// Keys of a user's file: all of them, consecutive ones, or a sample.
//
// An input is named by the file's name and by a digest of its keys, so that the same file is the same input on every
// machine. The path stays in the process that was given it, and in its workers.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "core/parallel.hpp"
#include "generators/distribution.hpp"
#include "generators/file_input.hpp"
#include "generators/key_file.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kGrain = 4096;  // keys that a thread reads at a time
/// Largest gap between the keys of a sample that is read over instead of being left out.
constexpr std::uint64_t kReadOverBytes = 4096;

class FileKeys final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  GivenParameters read_given(std::string_view text, std::string_view whole) const override {
    return read_file_text("file", text, whole, [&](const std::string& path, GivenParameters& given) {
      KeyFileName name{.path = path};
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
      if (!file.column.empty()) given["column"] = escaped_text(file.column);
      return file.digest;
    });
  }

  std::optional<KeyExtent> extent(const Parameters& parameters) const override {
    const KeyFile* const file = known(parameters);
    if (file == nullptr) return std::nullopt;
    return KeyExtent{.key = file->key, .n = file->n};
  }

  std::optional<std::string> declines(const Input& input) const override {
    const KeyFile* const file = known(input.parameters);
    if (file != nullptr && input.key != file->key) {
      return fmt::format("{} holds {}, not {}", input.parameters.word("name"), to_name(file->key), to_name(input.key));
    }
    return declined_part(input, held(input.parameters), "key");
  }

  Parameters resolved(const Input& input) const override { return resolved_part(input, held(input.parameters)); }
  bool has_one_input(const Input& input) const override { return is_one_part(input, held(input.parameters)); }

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
    const FilePart part{input, file.n};
    auto* const bytes = static_cast<std::byte*>(keys);
    const std::uint32_t width = byte_size(file.key);
    std::exception_ptr failure;
    std::mutex keeping;
    in_parallel(input.n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
      try {
        read(part, file, reader, {begin, end - begin}, bytes + begin * width);
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
    const FilePart part{input, file.n};
    auto* to = static_cast<std::byte*>(keys);
    for (const KeyRange& range : ranges) {
      read(part, file, reader, range, to);
      to += range.count * byte_size(file.key);
    }
    reader.check_unchanged();
  }

 private:
  static const KeyFile* known(const Parameters& parameters) { return key_file(parameters.word("digest")); }

  static std::optional<std::uint64_t> held(const Parameters& parameters) {
    const KeyFile* const file = known(parameters);
    return file == nullptr ? std::nullopt : std::optional{file->n};
  }

  static const KeyFile& file_for(const Input& input) {
    const KeyFile* const file = known(input.parameters);
    if (file == nullptr) throw BadInput(fmt::format("file {}: is not known here", input.parameters.word("name")));
    return *file;
  }

  static void read(const FilePart& part, const KeyFile& file, const KeyFileReader& reader, const KeyRange& range,
                   std::byte* to) {
    if (part.is_sample()) {
      read_sample(part, file, reader, range, to);
    } else {
      reader.read(part.place(range.first), range.count, to);
    }
  }

  static void read_sample(const FilePart& part, const KeyFile& file, const KeyFileReader& reader, const KeyRange& range,
                          std::byte* to) {
    const std::uint32_t width = byte_size(file.key);
    const bool dense = part.gap() * file.step <= kReadOverBytes;
    std::vector<std::byte> span;
    const std::uint64_t at_once = dense ? kGrain : 1;
    for (std::uint64_t done = 0; done < range.count; done += at_once) {
      const std::uint64_t first = range.first + done;
      const std::uint64_t last = std::min(range.first + range.count, first + at_once) - 1;
      const std::uint64_t begin = part.place(first);
      const std::uint64_t count = part.place(last) + 1 - begin;
      span.resize(count * width);
      reader.read(begin, count, span.data());
      for (std::uint64_t i = first; i <= last; ++i) {
        const std::byte* const key = span.data() + (part.place(i) - begin) * width;
        std::copy_n(key, width, to + (i - range.first) * width);
      }
    }
  }

  static std::vector<Parameter> parameters() {
    std::vector<Parameter> all = file_parameters("key", "key type, number of keys and keys");
    all.insert(all.begin() + 1,
               {.name = "column", .meaning = "field of a structured type", .standard = std::string{}, .text = true});
    return all;
  }

  DistributionInfo info_{.name = "file",
                         .title = "Keys of a file of your own: file:PATH",
                         .source = "a .npy file of one dimension or a column of one, or raw little-endian keys",
                         .parameters = parameters()};
};

const RegisterDistribution registered{std::make_unique<FileKeys>()};

}  // namespace
}  // namespace sortlab
