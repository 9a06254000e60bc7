#include "algorithms/numpy_sort/process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <new>
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
    os.sched_setaffinity(0, map(int, cpus.split(",")))
shared = mmap.mmap(handles[0], 0, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
keys = numpy.frombuffer(shared, dtype=dtype)
asked = socket.socket(fileno=handles[1])
asked.sendall(b"ready")
while asked.recv(1):
    begin = time.perf_counter_ns()
    keys.sort(kind=kind)
    end = time.perf_counter_ns()
    asked.sendall(str(end - begin).encode())
os._exit(0)  # at once: taking the interpreter and NumPy down costs ten times the fork, and copies their pages
)python";

/// A file descriptor that is closed with the object.
struct Handle {
  explicit Handle(int handle) : value(handle) {
    if (value < 0) throw std::runtime_error(fmt::format("numpy_sort: {}", std::strerror(errno)));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(value); }
  int value;
};

std::array<int, 2> socket_pair() {
  std::array<int, 2> ends{};
  // A packet socket, which preserves message boundaries; not inherited by other children.
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error(fmt::format("numpy_sort: no sockets: {}", std::strerror(errno)));
  }
  return ends;
}

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
    const std::array<int, 2> ends = socket_pair();
    socket_ = ends[0];
    const Handle theirs{ends[1]};
    process_ = std::make_unique<ChildProcess>(
        ChildSetup{.words = {PYTHON, "-I", "-c", kServer}, .descriptors = {{theirs.value, STDIN_FILENO}}});
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { close(socket_); }

  /// Throws if this NumPy is not the version of the build, which records name.
  void check() const {
    const std::string version = answer_from(socket_);
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
    if (sendmsg(socket_, &message, MSG_NOSIGNAL) < 0)
      throw std::runtime_error("numpy_sort: the Python process is gone");
  }

 private:
  int socket_ = -1;
  std::unique_ptr<ChildProcess> process_{};
};

const Server& server() {
  static const Server started;
  static const bool checked = (started.check(), true);
  (void)checked;
  return started;
}

}  // namespace

Process::Process(const Request& request) : Process() {
  const Handle memory{memfd_create("sortlab numpy_sort", MFD_CLOEXEC)};
  if (ftruncate(memory.value, static_cast<off_t>(request.bytes)) != 0) throw std::bad_alloc();
  void* const mapped = mmap(nullptr, request.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory.value, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  shared_ = mapped;
  bytes_ = request.bytes;
  const std::array<int, 2> ends = socket_pair();
  socket_ = ends[0];
  {
    const Handle theirs{ends[1]};
    server().send(fmt::format("{} {} {}", request.dtype, request.kind, fmt::join(request.cpus, ",")),
                  {memory.value, theirs.value});
  }
  if (answer_from(socket_) != "ready") throw std::runtime_error("numpy_sort: the Python process did not begin");
}

Process::~Process() {
  if (socket_ >= 0) close(socket_);
  if (shared_ != nullptr) munmap(shared_, bytes_);
}

double Process::sort() {
  if (send(socket_, "s", 1, MSG_NOSIGNAL) != 1) throw std::runtime_error("numpy_sort: the Python process is gone");
  return 1e-9 * std::stod(answer_from(socket_));
}

}  // namespace sortlab::numpy
