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

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/plugin.hpp"
#include "core/affinity.hpp"
#include "core/child_process.hpp"
#include "core/descriptor.hpp"

namespace sortlab {

/// The process of one prepared sorter. Its errors are std::runtime_error with the program's name.
class SortProcess {
 public:
  SortProcess(std::string program, const std::vector<std::string>& arguments, std::size_t bytes,
              const std::vector<int>& cpus)
      : program_(std::move(program)), memory_(bytes) {
    auto [ours, theirs] = socket_pair(SOCK_STREAM);
    socket_ = std::move(ours);
    ChildSetup setup{
        .words = {program_},
        .descriptors = {{theirs.get(), STDIN_FILENO}, {theirs.get(), STDOUT_FILENO}, {memory_.descriptor(), 3}}};
    setup.words.insert(setup.words.end(), arguments.begin(), arguments.end());
    {
      const Pinned there{cpus};  // inherited
      process_ = std::make_unique<ChildProcess>(setup);
    }
    theirs.close();
    if (const std::string word = next_line(); word != "ready") fail("said '" + word + "' and not 'ready'");
  }

  void* shared() const { return memory_.data(); }

  /// Lets the program sort the memory. Returns the seconds by the program's clock.
  double sort() {
    if (send(socket_.get(), "sort\n", 5, MSG_NOSIGNAL) != 5) fail("is gone");
    const std::string line = next_line();
    std::uint64_t nanoseconds = 0;
    const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), nanoseconds);
    if (error != std::errc{} || last != line.data() + line.size()) fail("said '" + line + "' and not nanoseconds");
    return 1e-9 * static_cast<double>(nanoseconds);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw std::runtime_error(program_ + ": " + why); }

  std::string next_line() const {
    std::string line;
    while (true) {
      char c = 0;
      const ssize_t got = recv(socket_.get(), &c, 1, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || line.size() > 1000) fail("is gone");
      if (c == '\n') return line;
      line += c;
    }
  }

  std::string program_;
  SharedMemory memory_;
  Descriptor socket_{};
  std::unique_ptr<ChildProcess> process_{};  // killed with it, which is safe: it holds no state but the keys
};

/// Sorts keys by a process that sorts the memory it shares with us, shared(), and tells its own seconds, sort().
template <class Process>
class ProcessSorter final : public Sorter {
 public:
  /// `make(bytes)` gives the process; not called without keys.
  template <class Make>
  ProcessSorter(const Problem& problem, const Make& make)
      : bytes_(problem.n * byte_size(problem.key)), process_(bytes_ != 0 ? make(bytes_) : nullptr) {}
  std::uint64_t scratch_bytes() const override { return bytes_; }
  /// Hands the keys over; only the time of the process counts.
  Buffers sort(Buffers data, PhaseTimer&) override {
    if (process_ == nullptr) return data;
    std::memcpy(process_->shared(), data.keys.data, bytes_);
    seconds_ = process_->sort();
    data.keys.data = process_->shared();
    return data;
  }
  std::optional<double> own_seconds() const override { return seconds_; }

 private:
  std::size_t bytes_;
  std::unique_ptr<Process> process_;
  double seconds_ = 0;
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
    std::vector<std::string> arguments{std::string{to_name(problem.key)}, std::to_string(problem.n)};
    for (const auto& [name, value] : parameters.all()) arguments.push_back(name + "=" + to_text(value));
    return std::make_unique<ProcessSorter<SortProcess>>(problem, [&](std::size_t bytes) {
      return std::make_unique<SortProcess>(program_, arguments, bytes, resources.cpus);
    });
  }

 private:
  Info info_;
  std::string program_;
  bool total_order_;
};

}  // namespace sortlab
