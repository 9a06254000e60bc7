#include "algorithms/numpy_sort/process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "core/child_process.hpp"

namespace sortlab::numpy {
namespace {

/// The Python server. It imports NumPy once, which takes a tenth of a second, and forks a process for each array.
/// Through its standard input, a socket, it receives another socket and the array's memory. A process ends when its
/// socket closes.
constexpr const char* kServer = R"python(
import mmap, os, signal, socket, sys, time
import numpy

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forked
requests = socket.socket(fileno=0)
requests.sendall(numpy.__version__.encode())
while True:
    request, handles, _, _ = socket.recv_fds(requests, 65536, 2)
    if not request:
        sys.exit()
    if os.fork() == 0:
        break
    for handle in handles:
        os.close(handle)
requests.close()
dtype, kind, cpus = request.decode().split(" ")
if cpus:
    try:
        os.sched_setaffinity(0, map(int, cpus.split(",")))
    except OSError:
        pass  # the harness finds the same of the process that asks, and records it
shared = mmap.mmap(handles[0], 0, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
keys = numpy.frombuffer(shared, dtype=dtype)
asked = socket.socket(fileno=handles[1])
asked.sendall(b"ready")
while asked.recv(1):
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    keys.sort(kind=kind)
    end = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    asked.sendall(str(end - begin).encode())
os._exit(0)  # at once: taking the interpreter and NumPy down costs ten times the fork, and copies their pages
)python";

std::string answer_from(int socket) {
  std::array<char, 256> text{};
  ssize_t length = 0;
  do length = recv(socket, text.data(), text.size(), 0);
  while (length < 0 && errno == EINTR);
  if (length <= 0) throw std::runtime_error("numpy_sort: the Python process is gone");
  return {text.data(), static_cast<std::size_t>(length)};
}

/// The process that imported NumPy, for the life of this program.
class Server {
 public:
  Server() {
    auto [ours, theirs] = socket_pair(SOCK_SEQPACKET);  // preserves message boundaries
    socket_ = std::move(ours);
    process_ = std::make_unique<ChildProcess>(
        ChildSetup{.words = {PYTHON, "-I", "-c", kServer}, .descriptors = {{theirs.get(), STDIN_FILENO}}});
  }

  /// Throws if this NumPy is not the version of the build, which records name.
  void check() const {
    const std::string version = answer_from(socket_.get());
    if (version == SORTLAB_VERSION) return;
    throw std::runtime_error(
        fmt::format("numpy_sort: NumPy is {} now and was {} when this was built", version, SORTLAB_VERSION));
  }

  void send(std::string request, const std::array<int, 2>& handles) const {
    iovec text{request.data(), request.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof handles)> control{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof handles);
    std::memcpy(CMSG_DATA(header), handles.data(), sizeof handles);
    if (sendmsg(socket_.get(), &message, MSG_NOSIGNAL) < 0)
      throw std::runtime_error("numpy_sort: the Python process is gone");
  }

 private:
  Descriptor socket_{};
  std::unique_ptr<ChildProcess> process_{};
};

const Server& server() {
  static const Server started;
  static const bool checked = (started.check(), true);
  (void)checked;
  return started;
}

}  // namespace

Process::Process(const Request& request) : memory_(request.bytes) {
  auto [ours, theirs] = socket_pair(SOCK_SEQPACKET);
  socket_ = std::move(ours);
  server().send(fmt::format("{} {} {}", request.dtype, request.kind, fmt::join(request.cpus, ",")),
                {memory_.descriptor(), theirs.get()});
  theirs.close();
  if (answer_from(socket_.get()) != "ready") throw std::runtime_error("numpy_sort: the Python process did not begin");
}

double Process::sort() {
  if (send(socket_.get(), "s", 1, MSG_NOSIGNAL) != 1) {
    throw std::runtime_error("numpy_sort: the Python process is gone");
  }
  return 1e-9 * std::stod(answer_from(socket_.get()));
}

}  // namespace sortlab::numpy
