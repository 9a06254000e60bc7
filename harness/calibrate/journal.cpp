#include "harness/calibrate/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/read_file.hpp"

namespace sortlab::calibration {

using nlohmann::ordered_json;

Journal::Journal(const std::filesystem::path& path, const std::string& title) {
  const std::string first = ordered_json{{"calibration", title}}.dump() + '\n';
  std::string text = read_file(path).value_or("");
  if (!text.starts_with(first)) text.clear();
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
  file_ = Descriptor{open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666), path.c_str()};
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
        samples_[{json.at("table"), json.at("at").get<std::vector<double>>()}].push_back(
            {.value = json.at("value"), .speed = json.at("speed")});
      }
      spent_s_ = json.at("spent_s");
    } catch (const nlohmann::json::exception&) {  // a line of zeros, after a power failure
    }
  }
}

std::vector<Sample> Journal::samples(const std::string& table, const std::vector<double>& at) const {
  const auto found = samples_.find({table, at});
  return found == samples_.end() ? std::vector<Sample>{} : found->second;
}

void Journal::add(const std::string& table, const std::vector<double>& at, const Sample& sample, double spent_s) {
  unwritten_ +=
      ordered_json{{"table", table}, {"at", at}, {"value", sample.value}, {"speed", sample.speed}, {"spent_s", spent_s}}
          .dump() +
      '\n';
  if (std::chrono::steady_clock::now() - written_ > std::chrono::seconds{1}) write();
}

void Journal::choose(const std::vector<double>& threads, double spent_s) {
  threads_ = threads;
  unwritten_ += ordered_json{{"threads", threads}, {"spent_s", spent_s}}.dump() + '\n';
  write();
}

void Journal::write() {
  // A full disk costs only that an interrupted calibration starts over.
  if (file_.get() >= 0 && ::write(file_.get(), unwritten_.data(), unwritten_.size()) < 0) file_.close();
  unwritten_.clear();
  written_ = std::chrono::steady_clock::now();
}

}  // namespace sortlab::calibration
