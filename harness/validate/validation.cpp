#include "harness/validate/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "core/build_digest.hpp"
#include "core/json_field.hpp"
#include "core/printable.hpp"
#include "core/sha256.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/estimate.hpp"
#include "harness/plan/resume.hpp"
#include "harness/plan/work.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/run/signals.hpp"
#include "harness/validate/validation_text.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRepeats = 8;       ///< number of cells measured again at the end
constexpr double kRepeatsShare = 0.12;    ///< maximum share of the budget for these
constexpr double kMeasuredShare = 0.85;   ///< share of the budget after which no block begins
constexpr double kLeastMeasuring_s = 10;  ///< minimum seconds of measuring, for short budgets

class Validation {
 public:
  explicit Validation(const ValidationOptions& options)
      : options_(options),
        profile_path_(options.folder / kValidationProfile),
        profile_(read_profile(profile_path_.string())),
        out_(options.folder / kValidationFile) {
    std::ranges::for_each(out_.notes(), tell);
  }

  ValidationResult run(const std::function<void(const ValidationResult&)>& committed) {
    const auto begin = Clock::now();
    if (out_.before().empty()) {
      begin_anew();
    } else {
      take_up();
    }
    result_.cells = cells_.size();
    result_.predictions = predictions_.size();
    result_.commitment = sha256_hex(record_line(validation_));
    const ordered_json& drawn = validation_.at("drawn");
    if (drawn.contains("coverage")) result_.coverage = coverage_lines(drawn["coverage"]);
    for (const ordered_json& record : out_.before()) {
      if (const auto measurement = measured_in(record)) {
        note_measurement(record.at("cell"), *measurement);
        if (record.contains("energy")) note_energy(record.at("cell"), energy_in(record));
      }
    }
    committed(result_);
    if (result_.ended) {
      static_cast<void>(predict_again());
      return result_;
    }
    if (!has_drift("begin")) append_drift("begin", {});
    const double passed_s = std::chrono::duration<double>(Clock::now() - begin).count();
    measure(std::max(kLeastMeasuring_s, kMeasuredShare * options_.asked.budget_s - passed_s));
    if (!is_stopped()) end();
    return result_;
  }

 private:
  bool is_stopped() const { return options_.stop != nullptr && options_.stop->caught() != 0; }
  std::string id() const { return validation_.at("validation").get<std::string>(); }

  [[noreturn]] void refuse(const std::string& why) const {
    throw BadInput(fmt::format("out: {}: {}; give another --out", out_.path().string(), why));
  }

  void begin_anew() {
    if (profile_.id != machine_id()) {
      throw BadInput(fmt::format("machine: the profile is of {}; this machine, which is measured, is {}", profile_.id,
                                 machine_id()));
    }
    auto [drawn, predictions] = predicted_draw();
    validation_ = validation_record(options_.asked, profile_file(), drawn, predictions);
    out_.append(validation_);
    for (const CommittedPrediction& prediction : predictions) out_.append(prediction.record);
    cells_ = std::move(drawn.cells);
    predictions_ = std::move(predictions);
  }

  /// Reads the records of the file, which are not changed.
  void take_up() {
    result_.began = true;
    validation_ = out_.before().front();
    if (validation_.at("kind") != "validation") refuse("holds records of something else");
    const RecordFile file = read_records(out_.path());
    try {
      result_.ended = std::ranges::any_of(file.records, [&](const ordered_json& r) {
        return r["kind"] == "validation_end" && r["validation"] == id();
      });
      take_up_predictions(file);
    } catch (const nlohmann::json::exception& error) {  // a file that someone has changed
      refuse("cannot be read as a validation");
    }
  }

  void take_up_predictions(const RecordFile& file) {
    if (!result_.ended && validation_.at("machine") != machine_id()) {
      refuse(fmt::format("is of the machine {}", validation_.at("machine").get<std::string>()));
    }
    if (!result_.ended && validation_.at("model_digest") != build_digest("models")) {
      refuse("was begun by another build of the models");
    }
    if (validation_.at("profile").at("sha256") != sha256_of_file(profile_path_)) {
      refuse(fmt::format("was predicted from another profile than {}", profile_path_.string()));
    }
    const ordered_json& committed = validation_.at("predictions");
    std::size_t there = 0;
    while (1 + there < file.records.size() && file.records[1 + there]["kind"] == "prediction") ++there;
    const Protocol drawn_protocol = read_protocol(JsonField{validation_.at("protocol"), out_.path().string()}, {});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < there; ++i) {
      const ordered_json& record = file.records[1 + i];
      if (i >= committed.size() || committed[i].at("sha256") != sha256_hex(file.texts[1 + i])) {
        refuse(fmt::format("prediction {} is not the one it commits to", i + 1));
      }
      predictions_.push_back({record.at("cell"), record.at("model"), record, file.texts[1 + i]});
      if (!seen.insert(record.at("cell")).second) continue;
      Case c = case_from_json(record.at("case"));
      Protocol protocol = protocol_for(c, drawn_protocol);
      protocol.energy = validation_.at("asked").value("energy", false);
      cells_.push_back({std::move(c), protocol});
    }
    if (there == committed.size()) return;
    if (there + 1 < file.records.size()) refuse("has something else between its predictions");
    // The process was killed while it wrote predictions: the same draw continues where they end.
    auto [drawn, predictions] = predicted_draw();
    if (validation_.at("predictions_sha256") != sha256_of_lines(predictions)) {
      refuse("its predictions are not whole, and these options or this build give others");
    }
    for (std::size_t i = there; i < predictions.size(); ++i) out_.append(predictions[i].record);
    cells_ = std::move(drawn.cells);
    predictions_ = std::move(predictions);
  }

  std::pair<Drawn, std::vector<CommittedPrediction>> predicted_draw() const {
    Drawn drawn = draw(options_.asked.draw, profile_);
    std::vector<CommittedPrediction> predictions =
        predict_for_commitment(drawn.cells, profile_, options_.asked.draw.kind);
    if (predictions.empty()) throw BadInput("nothing can be predicted of what was drawn; give another --seed");
    return {std::move(drawn), std::move(predictions)};
  }

  ProfileFile profile_file() const { return {profile_, kValidationProfile, sha256_of_file(profile_path_)}; }

  bool has_drift(const std::string& when) const {
    return std::ranges::any_of(out_.before(), [&](const ordered_json& record) {
      return record["kind"] == "drift" && record.value("when", "") == when;
    });
  }

  void append_drift(const std::string& when, const std::vector<Repeat>& repeats) {
    std::optional<MachineProfile> again;
    if (options_.calibrate_again) again = options_.calibrate_again();
    out_.append(drift_record(id(), when, profile_, again ? &*again : nullptr, repeats));
  }

  void note_measurement(const std::string& cell, const Measured& measurement) {
    if (measurement.status == Status::ok) measured_[cell] = measurement.median_s;
  }

  /// The energy in a measurement's record, or the reason why there is none.
  static CellEnergy energy_in(const ordered_json& record) {
    if (record.at("energy").is_null()) return no_energy(record.value("energy_reason", "no reason is recorded"));
    return energy_from_json(record.at("energy"));
  }

  void note_energy(const std::string& cell, const CellEnergy& energy) {
    const std::string reason = energy.reason.empty() ? energy_doubt(energy) : energy.reason;
    if (reason.empty()) {
      joules_[cell] = energy.gross().value;
    } else {
      without_energy_[cell] = reason;
    }
  }

  void measure(double time_s) {
    const Selection selection = resume(group_into_blocks(cells_), out_.before(), {});
    result_.done_before = selection.done.size();
    SessionOptions session{.out = &out_,
                           .measured =
                               [&](const Cell& cell, const Measured& m) {
                                 note_measurement(cell_id(cell.subject), m);
                                 if (m.status == Status::ok && m.energy) note_energy(cell_id(cell.subject), *m.energy);
                               },
                           .quiet = options_.quiet,
                           .supervisor = {}};
    session.supervisor.time_budget_s = time_s;
    session.supervisor.stop = options_.stop;
    result_.session = run_session(
        plan_work(selection.to_run),
        {.command = command_line(), .config = options_.asked.config, .validation = result_.commitment}, session);
  }

  /// Measures some of the cells a second time, in equal steps from the first to the last, as far as there is time.
  std::vector<Repeat> repeats() {
    std::vector<Cell> measured;
    for (const Cell& cell : cells_) {
      if (!measured_.contains(cell_id(cell.subject))) continue;
      measured.push_back(cell);
      measured.back().protocol.energy = false;  // times alone are repeated
    }
    std::vector<Cell> chosen;
    const std::size_t wanted = std::min(kRepeats, measured.size());
    double left_s = kRepeatsShare * options_.asked.budget_s;
    for (std::size_t i = 0; i < wanted; ++i) {
      // The first cell of each stretch for which there is time.
      const std::size_t end = (i + 1) * measured.size() / wanted;
      for (std::size_t at = i * measured.size() / wanted; at < end; ++at) {
        const double takes_s = estimate_seconds({measured[at]}, &profile_).front();
        if (takes_s > left_s / static_cast<double>(wanted - i)) continue;
        left_s -= takes_s;
        chosen.push_back(measured[at]);
        break;
      }
    }
    std::vector<Repeat> repeated;
    SessionOptions session{
        .out = nullptr,
        .measured =
            [&](const Cell& cell, const Measured& m) {
              if (m.status != Status::ok) return;
              const std::string id = cell_id(cell.subject);
              repeated.push_back(
                  {.cell = id, .first_s = measured_.at(id), .again_s = m.median_s, .samples_s = m.samples_s});
            },
        .quiet = true,
        .supervisor = {}};
    session.supervisor.stop = options_.stop;
    static_cast<void>(
        run_session(plan_work(group_into_blocks(std::move(chosen))), {.command = command_line()}, session));
    return repeated;
  }

  /// Predicts the same cells again. A difference exposes a model that reads measurements, or times something itself.
  std::string predict_again() {
    std::vector<Cell> cells = cells_;
    const std::vector<CommittedPrediction> again = predict_for_commitment(cells, profile_, options_.asked.draw.kind);
    const auto said = [](const CommittedPrediction& prediction) {
      return std::pair{prediction.record.at("seconds"), prediction.record.at("phases")};
    };
    std::map<std::pair<std::string, std::string>, const CommittedPrediction*> now;
    for (const CommittedPrediction& prediction : again) now[{prediction.cell, prediction.model}] = &prediction;
    for (const CommittedPrediction& prediction : predictions_) {
      const auto found = now.find({prediction.cell, prediction.model});
      if (found == now.end() || said(*found->second) != said(prediction)) {
        result_.different.emplace_back(prediction.cell, prediction.model);
      }
      const ordered_json& record = prediction.record;
      if (const auto time = measured_.find(prediction.cell); time != measured_.end()) {
        const int threads = record.at("case").at("threads");
        const double error = record.at("seconds").get<double>() / time->second - 1;
        result_.errors[{record.at("model_kind"), threads}].push_back(error);
        const std::string& input = record.at("case").at("distribution").get_ref<const std::string&>();
        if (input.starts_with("file:")) result_.errors_by_file[{record.at("model_kind"), input}].push_back(error);
      }
      if (const auto joules = joules_.find(prediction.cell); joules != joules_.end() && record.contains("energy")) {
        result_.energy_errors[record.at("case").at("algorithm")].push_back(
            record.at("energy").at("joules").get<double>() / joules->second - 1);
      }
    }
    for (const auto& [cell, reason] : without_energy_) ++result_.without_energy[reason];
    return sha256_of_lines(again);
  }

  void end() {
    const std::vector<Repeat> repeated = repeats();
    if (is_stopped()) return;
    append_drift("end", repeated);
    const std::string again = predict_again();
    const std::size_t lost = cells_.size() - measured_.size() - result_.session.left;
    out_.check_alone();  // the end commits to what the file holds
    out_.append(validation_end_record(id(), {.measured = measured_.size(),
                                             .left = result_.session.left,
                                             .lost = lost,
                                             .predicted_again_sha256 = again,
                                             .different = result_.different,
                                             .records_sha256 = sha256_of_file(out_.path())}));
    result_.ended = true;
  }

  const ValidationOptions& options_;
  const std::filesystem::path profile_path_;
  const MachineProfile profile_;
  RecordAppender out_;
  ValidationResult result_;
  ordered_json validation_;
  std::vector<Cell> cells_;
  std::vector<CommittedPrediction> predictions_;
  std::map<std::string, double> measured_;             ///< medians by cell
  std::map<std::string, double> joules_;               ///< joules of a sort by cell, where they are believed
  std::map<std::string, std::string> without_energy_;  ///< why there are none, by cell
};

}  // namespace

ValidationResult validate(const ValidationOptions& options,
                          const std::function<void(const ValidationResult&)>& committed) {
  return Validation(options).run(committed);
}

std::vector<CommittedPrediction> predict_for_commitment(std::vector<Cell>& cells, const MachineProfile& profile,
                                                        std::optional<ModelKind> kind) {
  std::vector<CommittedPrediction> predictions;
  Predictor predictor{profile, std::nullopt, {.kind = kind}};
  std::erase_if(cells, [&](const Cell& cell) {
    bool any = false;
    for (auto& [model, record] : predictor.of(cell.subject)) {
      if (!is_validated(model->info().kind)) continue;
      any = true;
      std::string line = record_line(record);
      predictions.push_back({cell_id(cell.subject), model->info().name, std::move(record), std::move(line)});
    }
    return !any;
  });
  return predictions;
}

std::optional<BegunWith> begun_with(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kValidationFile;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const RecordFile file = read_records(path);
  if (file.records.empty()) return std::nullopt;
  const auto refuse = [&] {
    return BadInput(fmt::format("out: {}: holds records of something else; give another --out", path.string()));
  };
  const ordered_json& first = file.records.front();
  if (first.at("kind") != "validation" || !first.contains("asked")) throw refuse();
  try {
    return BegunWith{.seed = first.at("asked").at("seed"), .budget_s = first.at("asked").at("budget_s")};
  } catch (const nlohmann::json::exception&) {
    throw refuse();
  }
}

}  // namespace sortlab
