#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "core/printable.hpp"
#include "harness/machine/bounded_child.hpp"
#include "harness/machine/energy_meter.hpp"
#include "harness/machine/nvml.hpp"

namespace sortlab {
namespace {

constexpr double kMilli = 1e-3;

/// NVML's bits for reasons of a lower clock, but for idleness (nvmlClocksThrottleReasons).
constexpr std::array<std::pair<std::uint64_t, const char*>, 8> kReasons{{{0x2, "clocks set by a user"},
                                                                         {0x4, "power cap"},
                                                                         {0x8, "hardware slowdown"},
                                                                         {0x10, "sync boost"},
                                                                         {0x20, "software thermal slowdown"},
                                                                         {0x40, "hardware thermal slowdown"},
                                                                         {0x80, "power brake"},
                                                                         {0x100, "clocks set for a display"}}};

std::string text_by(const Nvml& nvml, int (*ask)(Nvml::Device, char*, unsigned), Nvml::Device device,
                    const char* what) {
  std::array<char, 256> text{};
  nvml.check(ask(device, text.data(), text.size() - 1), what);
  return text.data();
}

/// Throws EnergyUnavailable if the device is partitioned, since its counter is that of all partitions.
void refuse_partitions(const Nvml& nvml, Nvml::Device device) {
  unsigned current = 0;
  unsigned pending = 0;
  if (nvml.mig_mode == nullptr || nvml.mig_mode(device, &current, &pending) != 0 || current == 0) return;
  throw EnergyUnavailable("the GPU is partitioned (MIG): its counter is that of all partitions");
}

std::uint64_t read_counter(const Nvml& nvml, Nvml::Device device) {
  unsigned long long millijoules = 0;
  nvml.check(nvml.total_energy(device, &millijoules), "the GPU's counter of energy cannot be read");
  return millijoules;
}

/// True if two texts are equal but for the case of their letters.
bool same_text(const std::string& a, const std::string& b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

class NvmlMeter final : public DeviceMeter {
 public:
  NvmlMeter(const DeviceIdentity& wanted, const std::string& library) : nvml_(Nvml::load(library)) {
    nvml_.check(nvml_.by_bus_id(wanted.pci_bus_id.c_str(), &device_), "NVML does not know CUDA's device");
    refuse_partitions(nvml_, device_);
    const std::string found = text_by(nvml_, nvml_.uuid, device_, "NVML does not identify the GPU");
    if (!same_text(found, wanted.uuid)) {
      throw EnergyUnavailable(
          fmt::format("at {} NVML has {}, but CUDA {}", wanted.pci_bus_id, printable(found), printable(wanted.uuid)));
    }
    last_ = read_counter(nvml_, device_);
  }

  const std::vector<std::string>& domains() const override { return domains_; }

  std::vector<double> joules() override {
    const std::uint64_t now = read_counter(nvml_, device_);
    if (now < last_) {
      throw EnergyUnavailable(
          fmt::format("the GPU's counter of energy jumped back, from {} to {} mJ", std::exchange(last_, now), now));
    }
    last_ = now;
    return {kMilli * static_cast<double>(now)};
  }

  DeviceState state() override {
    DeviceState state{.power_w = power_w()};
    unsigned value = 0;
    const auto clock_hz = [&](int which) {
      return nvml_.clock != nullptr && nvml_.clock(device_, which, &value) == 0 ? 1e6 * value : 0.0;
    };
    state.sm_clock_hz = clock_hz(Nvml::kSmClock);
    state.memory_clock_hz = clock_hz(Nvml::kMemoryClock);
    if (nvml_.temperature != nullptr && nvml_.temperature(device_, 0, &value) == 0) state.temperature_c = value;
    unsigned long long reasons = 0;
    if (nvml_.throttle_reasons != nullptr && nvml_.throttle_reasons(device_, &reasons) == 0) {
      state.throttle_reasons = reasons;
    }
    return state;
  }

  std::optional<double> power_limit_w() override {
    unsigned milliwatts = 0;
    if (nvml_.power_limit == nullptr || nvml_.power_limit(device_, &milliwatts) != 0) return std::nullopt;
    return kMilli * milliwatts;
  }

  std::optional<std::string> sharers() override {
    // In a container the numbers of processes are another namespace's, so that only their count tells.
    if (const unsigned clients = count_by(nvml_.mps_processes); clients > 0) {
      return fmt::format("the GPU is shared: MPS has {} clients on it", clients);
    }
    if (const unsigned processes = count_by(nvml_.processes); processes > 1) {
      return fmt::format("the GPU is shared: {} processes have a context on it", processes);
    }
    return std::nullopt;
  }

  std::optional<double> busy_share() override {
    Nvml::Utilization rates;
    if (nvml_.utilization == nullptr || nvml_.utilization(device_, &rates) != 0) return std::nullopt;
    return 1e-2 * rates.gpu;
  }

 private:
  double power_w() {
    if (nvml_.field_values != nullptr && has_instant_) {
      Nvml::FieldValue value{.field = Nvml::kPowerInstant};
      has_instant_ = nvml_.field_values(device_, 1, &value) == 0 && value.error == 0;
      if (has_instant_) return kMilli * value.value.as_unsigned;
    }
    unsigned milliwatts = 0;
    nvml_.check(nvml_.power(device_, &milliwatts), "the GPU's power cannot be read");
    return kMilli * milliwatts;
  }

  unsigned count_by(int (*list)(Nvml::Device, unsigned*, Nvml::Process*)) const {
    constexpr unsigned most = 64;
    std::array<Nvml::Process, most> processes{};
    unsigned count = most;
    return list != nullptr && list(device_, &count, processes.data()) == 0 ? count : 0;
  }

  Nvml nvml_;
  Nvml::Device device_ = nullptr;
  std::uint64_t last_ = 0;  ///< mJ
  bool has_instant_ = true;
  std::vector<std::string> domains_{"device"};
};

/// Runs in the child. Returns a line for each GPU, "NAME" or "NAME\tREASON", or "-" and the reason why NVML has none.
std::string ask_nvml(const std::string& library) {
  try {
    const Nvml nvml = Nvml::load(library);
    unsigned devices = 0;
    nvml.check(nvml.count(&devices), "NVML shows no GPU");
    if (devices == 0) return "-NVML shows no GPU";
    std::string answer = "+";
    for (unsigned index = 0; index < devices; ++index) {
      Nvml::Device device = nullptr;
      nvml.check(nvml.by_index(index, &device), "NVML shows no GPU");
      answer += fmt::format("{}{}", index == 0 ? "" : "\n", text_by(nvml, nvml.name, device, "NVML names no GPU"));
      try {
        refuse_partitions(nvml, device);
        read_counter(nvml, device);
      } catch (const EnergyUnavailable& why) {
        answer += fmt::format("\t{}", why.what());
      }
    }
    return answer;
  } catch (const EnergyUnavailable& why) {
    return std::string{"-"} + why.what();
  }
}

}  // namespace

std::string nvml_library() {
  const char* const set = std::getenv("SORTLAB_NVML");
  return set != nullptr && *set != '\0' ? set : "libnvidia-ml.so.1";
}

std::unique_ptr<DeviceMeter> open_device_meter(const DeviceIdentity& device, const std::string& library) {
  return std::make_unique<NvmlMeter>(device, library);
}

std::vector<std::string> throttle_names(std::uint64_t reasons) {
  std::vector<std::string> names;
  for (const auto& [bit, name] : kReasons) {
    if ((reasons & bit) != 0) names.emplace_back(name);
  }
  return names;
}

std::vector<DeviceMetering> survey_device_meters(const std::string& library) {
  std::string answer;
  try {
    BoundedChild child{[&](std::string_view) { return ask_nvml(library); }};
    answer = child.ask("meters", std::chrono::seconds{20});
  } catch (const ChildFailed& why) {
    throw EnergyUnavailable(fmt::format("NVML fails: {}", why.what()));
  }
  if (!answer.starts_with('+')) throw EnergyUnavailable(answer.substr(1));
  std::vector<DeviceMetering> meters;
  std::istringstream lines{answer.substr(1)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    meters.push_back({line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1)});
  }
  return meters;
}

}  // namespace sortlab
