#include "generators/user_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "core/sha256.hpp"

namespace sortlab {
namespace {

FileIdentity identity_from(const struct stat& facts) {
  const auto ns = [](const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; };
  return {.device = facts.st_dev,
          .inode = facts.st_ino,
          .bytes = static_cast<std::uint64_t>(facts.st_size),
          .modified_ns = ns(facts.st_mtim),
          .changed_ns = ns(facts.st_ctim)};
}

}  // namespace

void refuse_file(const std::string& path, std::string_view why) {
  throw BadInput(fmt::format("file {}: {}", path, why));
}

std::pair<Descriptor, FileIdentity> open_regular_file(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0) refuse_file(path, std::generic_category().message(errno));
  Descriptor file{number, ""};
  struct stat facts {};
  if (fstat(number, &facts) != 0) refuse_file(path, std::generic_category().message(errno));
  if (S_ISDIR(facts.st_mode)) refuse_file(path, "is a folder; allowed: a regular file");
  if (S_ISFIFO(facts.st_mode)) refuse_file(path, "is a pipe, which can be read only once; allowed: a regular file");
  if (!S_ISREG(facts.st_mode)) refuse_file(path, "is a device or a socket; allowed: a regular file");
  return {std::move(file), identity_from(facts)};
}

std::uint64_t read_bytes(int file, const std::string& name, std::uint64_t offset, std::uint64_t bytes, void* to) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        pread(file, static_cast<std::byte*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::runtime_error(fmt::format("file {}: {}", name, std::generic_category().message(errno)));
    if (got == 0) break;
    done += static_cast<std::uint64_t>(got);
  }
  return done;
}

UserFileReader::UserFileReader(const std::string& path, const FileIdentity& identity)
    : name_(std::filesystem::path{path}.filename().string()), identity_(identity) {
  FileIdentity now;
  try {
    std::tie(descriptor_, now) = open_regular_file(path);
  } catch (const BadInput&) {
    throw FileChanged(fmt::format("file {}: can no longer be opened", name_));
  }
  if (now != identity_) throw FileChanged(fmt::format("file {}: changed after it was read first", name_));
}

void UserFileReader::read(std::uint64_t offset, std::uint64_t bytes, void* to) const {
  if (read_bytes(descriptor_.get(), name_, offset, bytes, to) == bytes) return;
  throw FileChanged(fmt::format("file {}: became shorter while it was read", name_));
}

void UserFileReader::check_unchanged() const {
  struct stat facts {};
  if (fstat(descriptor_.get(), &facts) == 0 && identity_from(facts) == identity_) return;
  throw FileChanged(fmt::format("file {}: changed while it was read", name_));
}

std::string tree_digest(std::uint64_t chunks, const ChunkReader& read, const std::function<std::string()>& head) {
  std::vector<std::string> leaves(chunks);
  std::atomic<std::uint64_t> next{0};
  std::mutex keeping;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      std::string buffer;
      for (std::uint64_t chunk = next++; chunk < chunks; chunk = next++)
        leaves[chunk] = sha256_hex(read(chunk, buffer));
    } catch (...) {
      const std::scoped_lock lock{keeping};
      failure = std::current_exception();
      next = chunks;
    }
  };
  {
    const std::uint64_t threads = std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, 64);
    std::vector<std::jthread> others;
    for (std::uint64_t i = 1; i < std::min(threads, chunks); ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  std::string root = head();
  for (const std::string& leaf : leaves) root += leaf + "\n";
  constexpr std::size_t shown = 16;
  return sha256_hex(root).substr(0, shown);
}

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::string bytes_from_hexadecimal(std::string_view digits) {
  std::string read;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    read += static_cast<char>(std::stoi(std::string{digits.substr(i, 2)}, nullptr, 16));
  }
  return read;
}

nlohmann::ordered_json to_json(const FileIdentity& id) {
  return {id.device, id.inode, id.bytes, id.modified_ns, id.changed_ns};
}

FileIdentity identity_from_json(const nlohmann::ordered_json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4)};
}

}  // namespace sortlab
