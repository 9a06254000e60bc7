#include "harness/machine/worker_environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "harness/machine/clean_start.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr const char* kPassed[] = {
    // the system, and the user's files
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "HOSTNAME", "TERM", "TMPDIR", "TMP", "TEMP", "TZ", "LANG",
    "LANGUAGE", "LC_*", "XDG_*", "KRB5*", "LD_LIBRARY_PATH", "LD_PRELOAD", "SSL_CERT_*", "http_proxy", "https_proxy",
    "ftp_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
    // batch systems and launchers
    "SLURM_*", "SLURMD_*", "PMIX_*", "PMI_*", "PMI2_*", "OMPI_*", "PRTE_*", "OPAL_*", "MPI*", "I_MPI_*", "HYDRA_*",
    "HYDI_*", "PBS_*", "LSB_*", "LSF_*", "SGE_*", "COBALT_*", "FLUX_*", "PALS_*", "ALPS_*", "CRAY*", "KUBERNETES_*",
    "APPTAINER_*", "SINGULARITY_*", "CONTAINER*", "container", "MODULEPATH*", "LOADEDMODULES", "LMOD_*",
    // networks, and communication between devices
    "NCCL_*", "NVSHMEM_*", "TORCH_SYMM_MEM_*", "TORCH_NCCL_*", "GLOO_*", "UCX_*", "UCC_*", "FI_*", "OFI_*", "IBV_*",
    "RDMAV_*", "MLX4_*", "MLX5_*", "HCOLL_*", "SHARP_*", "PSM2_*", "PSM3_*",
    // devices; CUDA_* as far as nothing of it was dropped at the start
    "CUDA_*", "NVIDIA_*", "NV_*", "NVTX_INJECTION64_PATH", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL", "ZE_AFFINITY_MASK",
    // Python, for sorts in a process of its own
    "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONNOUSERSITE", "VIRTUAL_ENV", "CONDA_PREFIX",
    // qemu-user: the processor, and the folder of its libraries
    "QEMU_CPU", "QEMU_LD_PREFIX",
    // Sortlab, sanitizers and coverage
    "SORTLAB_*", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "GCOV_*"};

/// Variables that slow the Python of a sort in its own process.
constexpr const char* kPythons[] = {"PYTHONMALLOC*",     "PYTHONDEVMODE",  "PYTHONTRACEMALLOC", "PYTHONDEBUG",
                                    "PYTHONPERFSUPPORT", "PYTHONOPTIMIZE", "PYTHON_GIL",        "PYTHON_JIT"};

/// Families whose values are recorded where they are numbers or switches.
constexpr const char* kSettings[] = {"NCCL_*", "NVSHMEM_*", "TORCH_SYMM_MEM_*", "TORCH_NCCL_*", "UCX_*", "CUDA_*"};

bool is_among(const auto& patterns, const std::string& name) {
  return std::ranges::any_of(patterns, [&](const char* pattern) { return is_named_by(pattern, name.c_str()); });
}

std::map<std::string, std::string> variables() {
  static const std::regex plain{"[A-Za-z_][A-Za-z0-9_]{0,254}"};  // another name is nobody's setting
  std::map<std::string, std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text{*variable};
    const std::size_t end = std::min(text.find('='), text.size());
    const std::string name{text.substr(0, end)};
    if (std::regex_match(name, plain)) all.emplace(name, text.substr(std::min(end + 1, text.size())));
  }
  return all;
}

std::string read_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> words(const std::string& text, const std::string& separators) {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) found.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

/// The name as a record may hold it: 256 characters at most.
std::string recorded_name(const std::string& name) {
  constexpr std::size_t most = 256;
  const std::string shown = printable(name);
  return shown.size() <= most ? shown : shown.substr(0, most / 2) + "...";
}

ordered_json harmless_value(const std::string& name, const std::string& value) {
  static const std::regex number_or_switch{"-?[0-9][0-9,.]{0,31}|true|false|yes|no|on|off|y|n", std::regex::icase};
  static const std::regex locale{"[A-Za-z0-9_.@:-]{1,32}"};
  const bool is_locale = name == "LANG" || name == "LANGUAGE" || name.starts_with("LC_");
  if (is_locale && std::regex_match(value, locale)) return value;
  if (is_among(kSettings, name) && std::regex_match(value, number_or_switch)) return value;
  if (name != "LD_PRELOAD") return nullptr;
  std::string files;
  for (const std::string& file : preloaded_libraries()) files += (files.empty() ? "" : ":") + file;
  return files;
}

}  // namespace

bool passes_to_workers(std::string_view name) {
  return is_among(kPassed, std::string{name});
}

std::vector<std::pair<std::string, std::string>> variables_of_workers() {
  return {{kDroppedVariable, read_variable(kDroppedVariable)}, {"GLIBC_TUNABLES", kWorkerTunables}};
}

std::vector<std::string> dropped_variables() {
  std::vector<std::string> names = words(printable(read_variable(kDroppedVariable)), ",");
  // No Python that we start gets these (python_setup); the variables stay in our own environment.
  for (const auto& [name, value] : variables()) {
    if (is_among(kPythons, name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> preloaded_libraries() {
  std::vector<std::string> files = words(read_variable("LD_PRELOAD"), ": ");
  const std::string of_all_programs = read_file("/etc/ld.so.preload").value_or("");
  for (std::string& file : words(of_all_programs, " \t\n:")) files.push_back(std::move(file));
  for (std::string& file : files) file = printable(file.substr(file.rfind('/') + 1));
  return files;
}

ordered_json variables_record() {
  ordered_json passed = ordered_json::object();
  for (const auto& [name, value] : variables()) {
    if (name != kDroppedVariable && passes_to_workers(name)) passed[recorded_name(name)] = harmless_value(name, value);
  }
  // Libraries that the system preloads bend times as well as the user's.
  if (const auto files = preloaded_libraries(); !files.empty()) passed["LD_PRELOAD"] = harmless_value("LD_PRELOAD", "");
  std::vector<std::string> dropped = dropped_variables();
  std::ranges::transform(dropped, dropped.begin(), recorded_name);
  return {{"dropped", std::move(dropped)}, {"passed", std::move(passed)}};
}

void mark_environment() {
  setenv(kDroppedVariable, "", 0);
}

}  // namespace sortlab
