#include "harness/machine/bounded_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "core/printable.hpp"

namespace sortlab {
namespace {

constexpr std::size_t kLongestMessage = 16384;

[[noreturn]] void serve(int socket, int said, const std::function<std::string(std::string_view)>& answer) {
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  }
  dup2(said, STDERR_FILENO);
  std::string message(kLongestMessage, '\0');
  while (true) {
    const ssize_t size = recv(socket, message.data(), message.size(), 0);
    if (size <= 0) _exit(0);
    const std::string reply = answer(std::string_view{message.data(), static_cast<std::size_t>(size)});
    send(socket, reply.data(), std::min(reply.size(), kLongestMessage), MSG_NOSIGNAL);
  }
}

/// ": " and the last line written to `said`, printable and of at most 200 characters; or an empty string.
std::string last_words(int said) {
  std::string text(4096, '\0');
  const off_t end = lseek(said, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(text.size()));
  const ssize_t size = end <= 0 ? 0 : pread(said, text.data(), text.size(), begin);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  text = text.substr(text.rfind('\n') + 1).substr(0, 200);
  return text.empty() ? "" : ": " + printable(text);
}

}  // namespace

BoundedChild::BoundedChild(const std::function<std::string(std::string_view)>& answer)
    : said_(memfd_create("said", MFD_CLOEXEC), "memfd_create") {
  auto [ours, theirs] = socket_pair(SOCK_SEQPACKET);
  socket_ = std::move(ours);
  // It never outlives the program, not even its crash.
  child_ = std::make_unique<ChildProcess>(ChildSetup{.death_signal = SIGKILL}, [&, child = theirs.get()] {
    socket_.close();
    serve(child, said_.get(), answer);
  });
}

void BoundedChild::give_up(const std::string& why) {
  const int status = child_->end();  // its own status, if it has ended by itself
  if (WIFEXITED(status)) {
    throw ChildFailed(fmt::format("ended with exit status {}{}", WEXITSTATUS(status), last_words(said_.get())));
  }
  if (WTERMSIG(status) != SIGKILL) {
    throw ChildFailed(fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  throw ChildFailed(why);
}

std::string BoundedChild::ask(std::string_view question, std::chrono::milliseconds limit) {
  if (child_->pid() < 0) throw ChildFailed("has ended");
  if (send(socket_.get(), question.data(), question.size(), MSG_NOSIGNAL) < 0) give_up("takes no question");
  pollfd waiting{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  const auto until = std::chrono::steady_clock::now() + limit;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready > 0) break;
    if (ready == 0) give_up(fmt::format("no answer within {:.3g} s", std::chrono::duration<double>(limit).count()));
    if (errno != EINTR) give_up("cannot be waited for");
  }
  std::string reply(kLongestMessage, '\0');
  const ssize_t size = recv(socket_.get(), reply.data(), reply.size(), 0);
  if (size <= 0) give_up("gave no answer");
  reply.resize(static_cast<std::size_t>(size));
  return reply;
}

}  // namespace sortlab
