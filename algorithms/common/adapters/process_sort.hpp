// A sort in a separate program, in any language: the short way to a plug-in for a library that our process cannot call.
//
//   const Register registered{std::make_unique<ProcessSort>(Info{…}, "/where/the/program/is")};
//
// For each problem the program is started as `PROGRAM KEY N [NAME=VALUE]…`: the key type ("u32"), the number of keys,
// and the plug-in's parameters. Descriptor 3 is the memory of the keys, to be mapped by mmap with MAP_SHARED. The
// program writes a line "ready". For each line that it reads, it sorts the keys in that memory and writes a line with
// the time that this took, in nanoseconds by its own monotonic clock. It ends when its standard input does. Its
// standard error is shown to the user.
//
// The handover is not timed. The program runs on the processors of the cell, and its memory is touched beforehand.
#pragma once

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "algorithms/plugin.hpp"
#include "core/affinity.hpp"
#include "core/child_process.hpp"

namespace sortlab {

/// The process of one prepared sorter. Its errors are std::runtime_error with the program's name.
class SortProcess {
 public:
  SortProcess(std::string program, const std::vector<std::string>& arguments, std::size_t bytes,
              const std::vector<int>& cpus)
      : program_(std::move(program)), bytes_(bytes) {
    const int memory = memfd_create("sortlab-keys", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, static_cast<off_t>(bytes_)) != 0) fail(std::strerror(errno));
    void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory, 0);
    if (mapped == MAP_FAILED) {
      close(memory);
      throw std::bad_alloc();
    }
    shared_ = mapped;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(std::strerror(errno));
    socket_ = ends[0];
    std::vector<std::string> words{program_};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::string failure;
    try {
      const Pinned there{cpus};  // inherited
      process_ = std::make_unique<ChildProcess>(ChildSetup{
          .words = std::move(words), .descriptors = {{ends[1], STDIN_FILENO}, {ends[1], STDOUT_FILENO}, {memory, 3}}});
    } catch (const std::system_error& error) {
      failure = error.code().message();
    }
    close(memory);
    close(ends[1]);
    if (!failure.empty()) fail(failure);
    if (const std::string word = next_line(); word != "ready") fail("said '" + word + "' and not 'ready'");
  }
  SortProcess(const SortProcess&) = delete;
  SortProcess& operator=(const SortProcess&) = delete;
  ~SortProcess() { end(); }

  void* shared() const { return shared_; }

  /// Lets the program sort the memory. Returns the seconds by the program's clock.
  double sort() {
    if (send(socket_, "sort\n", 5, MSG_NOSIGNAL) != 5) fail("is gone");
    const std::string line = next_line();
    std::uint64_t nanoseconds = 0;
    const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), nanoseconds);
    if (error != std::errc{} || last != line.data() + line.size()) fail("said '" + line + "' and not nanoseconds");
    return 1e-9 * static_cast<double>(nanoseconds);
  }

 private:
  [[noreturn]] void fail(const std::string& why) {
    end();
    throw std::runtime_error(program_ + ": " + why);
  }

  std::string next_line() {
    std::string line;
    while (true) {
      char c = 0;
      const ssize_t got = recv(socket_, &c, 1, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || line.size() > 1000) fail("is gone");
      if (c == '\n') return line;
      line += c;
    }
  }

  void end() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
    process_.reset();  // kills it; safe: the program holds no state but the keys
    if (shared_ != nullptr) munmap(std::exchange(shared_, nullptr), bytes_);
  }

  std::string program_;
  std::size_t bytes_;
  void* shared_ = nullptr;
  int socket_ = -1;
  std::unique_ptr<ChildProcess> process_{};
};

/// Sorts keys without values, of the key types in Info.
class ProcessSort final : public Algorithm {
 public:
  /// `total_order`: true if the program puts -NaN first, +NaN last and -0 before +0.
  ProcessSort(Info info, std::string program, bool total_order = false)
      : info_(std::move(info)), program_(std::move(program)), total_order_(total_order) {
    info_.values = {ValueType::none};
    info_.times_itself = true;
  }
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    if (access(program_.c_str(), X_OK) == 0) return std::nullopt;
    return "there is no program " + program_;
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (total_order_ || !is_float(problem.key) || !problem.needs_total_order) return std::nullopt;
    return "has no total order of NaN and signed zeros";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    std::vector<std::string> arguments{std::string{name_of(problem.key)}, std::to_string(problem.n)};
    for (const auto& [name, value] : parameters.all()) arguments.push_back(name + "=" + to_text(value));
    return std::make_unique<Ready>(program_, arguments, problem, resources);
  }

 private:
  class Ready final : public Sorter {
   public:
    Ready(const std::string& program, const std::vector<std::string>& arguments, const Problem& problem,
          const Resources& resources)
        : bytes_(problem.n * size_of(problem.key)) {
      if (bytes_ != 0) process_.emplace(program, arguments, bytes_, resources.cpus);
    }
    std::uint64_t scratch_bytes() const override { return bytes_; }
    Buffers sort(Buffers data, PhaseTimer&) override {
      if (!process_) return data;
      std::memcpy(process_->shared(), data.keys.data, bytes_);
      seconds_ = process_->sort();
      data.keys.data = process_->shared();
      return data;
    }
    std::optional<double> own_seconds() const override { return seconds_; }

   private:
    std::size_t bytes_;
    std::optional<SortProcess> process_{};
    double seconds_ = 0;
  };

  Info info_;
  std::string program_;
  bool total_order_;
};

}  // namespace sortlab
