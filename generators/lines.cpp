// Lines of a user's text file as the keys of records: all of them, consecutive ones, or a sample. A line ends with a
// line feed, or a carriage return and one, or with the file.
//
// Like keys of a file (file.cpp), an input is named by the file's name and digest; the path stays on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "generators/file_input.hpp"
#include "generators/record_distribution.hpp"
#include "generators/user_file.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;  // bytes read at a time, and in a leaf of the digest's tree
constexpr std::uint64_t kMaxLines = std::uint64_t{1} << 40;

struct LineFile {
  std::string path;
  std::uint64_t n = 0;  ///< lines
  FileIdentity identity;
  std::string digest;
};

/// Reads a file once, by all processors, for its digest and the number of its lines.
LineFile open_line_file(const std::string& path) {
  LineFile file{.path = path, .n = 0, .identity = open_regular_file(path).second, .digest = {}};
  const std::uint64_t bytes = file.identity.bytes;
  const UserFileReader reader{path, file.identity};
  std::atomic<std::uint64_t> ends{0};
  std::atomic<bool> last_is_open{false};
  const auto read = [&](std::uint64_t chunk, std::string& buffer) -> std::string_view {
    buffer.resize(std::min(kChunk, bytes - chunk * kChunk));
    reader.read(chunk * kChunk, buffer.size(), buffer.data());
    ends += static_cast<std::uint64_t>(std::ranges::count(buffer, '\n'));
    if (chunk * kChunk + buffer.size() == bytes) last_is_open = buffer.back() != '\n';
    return buffer;
  };
  file.digest = tree_digest((bytes + kChunk - 1) / kChunk, read, [&] {
    reader.check_unchanged();
    return fmt::format("sortlab lines 1\n{}\n", bytes);
  });
  file.n = ends + (last_is_open ? 1 : 0);
  if (file.n > kMaxLines) refuse_file(path, fmt::format("has {} lines; allowed: up to 2^40", file.n));
  return file;
}

/// The lines of one input in memory, read in one pass up to the last of them.
class LineKeys final : public KeySource {
 public:
  LineKeys(const LineFile& file, const Input& input) : name_(std::filesystem::path{file.path}.filename().string()) {
    if (input.n == 0) return;
    const FilePart part{input, file.n};
    const UserFileReader reader{file.path, file.identity};
    std::string chunk;
    std::uint64_t line = 0;  // line of the file that the bytes at hand belong to
    std::uint64_t wanted = part.place(0);
    for (std::uint64_t at = 0; ends_.size() < input.n; at += chunk.size()) {
      if (at >= file.identity.bytes) throw FileChanged(fmt::format("file {}: holds fewer lines than before", name_));
      chunk.resize(std::min(kChunk, file.identity.bytes - at));
      reader.read(at, chunk.size(), chunk.data());
      std::string_view rest = chunk;
      while (!rest.empty() && ends_.size() < input.n) {
        const std::size_t end = rest.find('\n');
        if (line == wanted) text_.append(rest.substr(0, end));
        const bool is_last = at + chunk.size() == file.identity.bytes && end == std::string_view::npos;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (end == std::string_view::npos && !is_last) break;
        if (line == wanted) {
          end_line();
          if (ends_.size() < input.n) wanted = part.place(ends_.size());
        }
        ++line;
      }
    }
    reader.check_unchanged();
  }

  std::uint32_t key(std::uint64_t i, std::uint8_t* to) const override {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    const std::uint64_t bytes = ends_[i] - begin;
    if (to != nullptr) std::memcpy(to, text_.data() + begin, bytes);
    return static_cast<std::uint32_t>(bytes);
  }

 private:
  void end_line() {
    const std::uint64_t begin = ends_.empty() ? 0 : ends_.back();
    if (text_.size() > begin && text_.back() == '\r') text_.pop_back();
    if (text_.size() - begin > std::numeric_limits<std::uint32_t>::max()) {
      throw BadInput(fmt::format("file {}: has a line of {} bytes; allowed: below 2^32", name_, text_.size() - begin));
    }
    ends_.push_back(text_.size());
  }

  std::string name_;
  std::string text_;
  std::vector<std::uint64_t> ends_;  ///< end of each line in text_
};

class FileLines final : public RecordDistribution {
 public:
  FileLines()
      : RecordDistribution({.name = "lines",
                            .title = "Lines of a text file of your own: lines:PATH",
                            .source = "a text file",
                            .parameters = file_parameters("line", "the file's bytes")}) {}

  GivenParameters read_given(std::string_view text, std::string_view whole) const override {
    return read_file_text("lines", text, whole, [&](const std::string& path, GivenParameters& given) {
      if (const auto key = given.find("key"); key != given.end() && key->second == "string") given.erase(key);
      const LineFile file = open_line_file(path);
      const std::scoped_lock lock{changing_};
      known_.insert_or_assign(file.digest, file);
      return file.digest;
    });
  }

  std::optional<KeyExtent> extent(const Parameters& parameters) const override {
    const auto lines = held(parameters);
    if (!lines) return std::nullopt;
    return KeyExtent{.key = KeyType::string, .n = *lines};
  }

  std::optional<std::string> declines(const Input& input) const override {
    if (input.key != KeyType::string) {
      return fmt::format("{} holds lines of text, not {}", input.parameters.word("name"), to_name(input.key));
    }
    return declined_part(input, held(input.parameters), "line");
  }

  Parameters resolved(const Input& input) const override { return resolved_part(input, held(input.parameters)); }
  bool has_one_input(const Input& input) const override { return is_one_part(input, held(input.parameters)); }

  std::string facts_for_workers(const Parameters& parameters) const override {
    const std::optional<LineFile> file = known(parameters);
    if (!file) return {};
    return nlohmann::ordered_json{hexadecimal(std::filesystem::absolute(file->path).string()), file->n,
                                  to_json(file->identity), file->digest}
        .dump();
  }

  void take_facts(std::string_view facts) const override {
    const auto json = nlohmann::ordered_json::parse(facts);
    const LineFile file{.path = bytes_from_hexadecimal(json.at(0).get<std::string>()),
                        .n = json.at(1),
                        .identity = identity_from_json(json.at(2)),
                        .digest = json.at(3)};
    const std::scoped_lock lock{changing_};
    known_.insert_or_assign(file.digest, file);
  }

 protected:
  std::unique_ptr<KeySource> source(const Input& input) const override {
    const std::optional<LineFile> file = known(input.parameters);
    if (!file) throw BadInput(fmt::format("file {}: is not known here", input.parameters.word("name")));
    return std::make_unique<LineKeys>(*file, input);
  }

 private:
  std::optional<LineFile> known(const Parameters& parameters) const {
    const std::scoped_lock lock{changing_};
    const auto found = known_.find(parameters.word("digest"));
    return found == known_.end() ? std::nullopt : std::optional{found->second};
  }

  std::optional<std::uint64_t> held(const Parameters& parameters) const {
    const std::optional<LineFile> file = known(parameters);
    return file ? std::optional{file->n} : std::nullopt;
  }

  mutable std::mutex changing_;
  mutable std::map<std::string, LineFile, std::less<>> known_;  ///< the file of each digest
};

const RegisterDistribution registered{std::make_unique<FileLines>()};

}  // namespace
}  // namespace sortlab
