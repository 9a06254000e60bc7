#include "harness/calibrate/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/bad_input.hpp"
#include "core/file_lock.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"

namespace sortlab::calibration {

using nlohmann::ordered_json;

Journal::Journal(const std::filesystem::path& path, const std::string& title) : path_(path) {
  file_ = Descriptor{open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666), path.c_str()};
  if (lock_file(file_.get()).lock == FileLock::held) {
    throw BadInput("out: another calibration keeps its samples in " + path.string() +
                   "; wait for it or give another --out");
  }
  const std::string first = ordered_json{{"calibration", title}}.dump() + '\n';
  std::string text = read_file(path).value_or("");
  if (!text.starts_with(first)) text.clear();
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
  if (ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0) {
    throw std::system_error(errno, std::generic_category(), path);
  }
  lseek(file_.get(), 0, SEEK_END);
  if (text.empty()) {
    unwritten_ = first;
    write();
  } else {
    read(text.substr(first.size()));
  }
}

Journal::~Journal() {
  write();
}

void Journal::read(const std::string& text) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const ordered_json json = ordered_json::parse(line, nullptr, false);
    try {
      if (json.contains("threads")) {
        threads_ = json.at("threads").get<std::vector<double>>();
      } else {
        const Point point{json.at("table"), json.at("at").get<std::vector<double>>()};
        const ProbeReading sample{.value = json.at("value"), .speed = json.at("speed")};
        if (json.contains("took_s")) {
          firsts_[point] = {.sample = sample, .took_s = json.at("took_s")};
        } else {
          samples_[point].push_back(sample);
        }
      }
      spent_s_ = json.at("spent_s");
    } catch (const nlohmann::json::exception&) {  // a line of zeros, after a power failure
    }
  }
}

std::vector<ProbeReading> Journal::samples(const std::string& table, const std::vector<double>& at) const {
  const auto found = samples_.find({table, at});
  return found == samples_.end() ? std::vector<ProbeReading>{} : found->second;
}

std::optional<FirstSample> Journal::first(const std::string& table, const std::vector<double>& at) const {
  const auto found = firsts_.find({table, at});
  return found == firsts_.end() ? std::nullopt : std::optional{found->second};
}

void Journal::add(const std::string& table, const std::vector<double>& at, const ProbeReading& sample, double spent_s) {
  add_line({{"table", table}, {"at", at}, {"value", sample.value}, {"speed", sample.speed}, {"spent_s", spent_s}});
}

void Journal::add_first(const std::string& table, const std::vector<double>& at, const FirstSample& first,
                        double spent_s) {
  add_line({{"table", table},
            {"at", at},
            {"value", first.sample.value},
            {"speed", first.sample.speed},
            {"took_s", first.took_s},
            {"spent_s", spent_s}});
}

void Journal::choose(const std::vector<double>& threads, double spent_s) {
  threads_ = threads;
  add_line({{"threads", threads}, {"spent_s", spent_s}});
  write();
}

void Journal::add_line(const ordered_json& line) {
  unwritten_ += line.dump() + '\n';
  if (std::chrono::steady_clock::now() - written_ > std::chrono::seconds{1}) write();
}

void Journal::write() {
  while (file_.get() >= 0 && !unwritten_.empty()) {
    const ssize_t wrote = ::write(file_.get(), unwritten_.data(), unwritten_.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      tell(fmt::format("out: {}: {}; an interruption loses the samples from now on", path_.string(),
                       std::strerror(wrote < 0 ? errno : ENOSPC)));
      file_.close();
      break;
    }
    unwritten_.erase(0, static_cast<std::size_t>(wrote));
  }
  unwritten_.clear();
  written_ = std::chrono::steady_clock::now();
}

}  // namespace sortlab::calibration
