#include "harness/run/line_channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sortlab {

LineChannel::LineChannel(LineChannel&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      received_(std::move(other.received_)),
      searched_(std::exchange(other.searched_, 0)) {}

LineChannel::~LineChannel() {
  if (socket_ >= 0) close(socket_);
}

bool LineChannel::send(const std::string& lines) {
  std::size_t sent = 0;
  while (sent < lines.size()) {
    const ssize_t now = ::send(socket_, lines.data() + sent, lines.size() - sent, MSG_NOSIGNAL);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return true;
}

std::optional<nlohmann::ordered_json> LineChannel::next() {
  const std::size_t newline = received_.find('\n', searched_);
  if (newline == std::string::npos) {
    searched_ = received_.size();
    return std::nullopt;
  }
  auto message =
      nlohmann::ordered_json::parse(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(newline));
  received_.erase(0, newline + 1);
  searched_ = 0;
  return message;
}

bool LineChannel::receive() {
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = recv(socket_, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }
}

}  // namespace sortlab
