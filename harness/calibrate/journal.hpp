// Samples of a calibration, kept in a file as they come, so that an interrupted calibration goes on where it was.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/descriptor.hpp"

namespace sortlab::calibration {

/// One sample of a micro-benchmark, in its table's unit.
struct ProbeReading {
  double value = 0;
  double speed = 1;  ///< share of the processor's full speed during the sample
};

/// A sample of the first pass, and what taking it cost.
struct FirstSample {
  ProbeReading sample{};
  double took_s = 0;
};

class Journal {
 public:
  /// Goes on with the file if an earlier calibration with the same `title` began it, else begins it anew. A torn last
  /// line is cut off. Throws std::system_error.
  Journal(const std::filesystem::path& path, const std::string& title);
  Journal(Journal&&) = default;
  ~Journal();

  /// Seconds that earlier calibrations of the file spent measuring.
  double spent_s() const { return spent_s_; }
  /// Thread counts that an earlier calibration chose to measure.
  const std::optional<std::vector<double>>& threads() const { return threads_; }
  /// Samples that an earlier calibration took.
  std::vector<ProbeReading> samples(const std::string& table, const std::vector<double>& at) const;

  /// The sample of the first pass that an earlier calibration took.
  std::optional<FirstSample> first(const std::string& table, const std::vector<double>& at) const;

  /// `spent_s`: seconds spent by now, those of earlier calibrations among them. Written at most once a second, at the
  /// latest with the object's end.
  void add(const std::string& table, const std::vector<double>& at, const ProbeReading& sample, double spent_s);
  void add_first(const std::string& table, const std::vector<double>& at, const FirstSample& first, double spent_s);
  void choose(const std::vector<double>& threads, double spent_s);

 private:
  using Point = std::pair<std::string, std::vector<double>>;
  void read(const std::string& text);
  void add_line(const nlohmann::ordered_json& line);
  void write();

  std::filesystem::path path_;
  Descriptor file_;
  std::map<Point, std::vector<ProbeReading>> samples_;
  std::map<Point, FirstSample> firsts_;
  std::optional<std::vector<double>> threads_;
  double spent_s_ = 0;
  std::string unwritten_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace sortlab::calibration
