#include "harness/machine/processor.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <regex>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace sortlab {
namespace {

struct KnownModels {
  std::string_view vendor;
  int family;
  int first_model;
  int last_model;
  std::string_view name;
};

// AMD: "Revision Guide" documents of families 17h, 19h, 1Ah. Intel: "Software Developer's Manual", vol. 4, table 2-1.
constexpr std::string_view kAmd = "AuthenticAMD";
constexpr std::string_view kIntel = "GenuineIntel";
// Arm: part numbers of MIDR_EL1 in the "Technical Reference Manual" of each core; the family is the architecture's
// version.
constexpr std::string_view kArm = "Arm";
constexpr std::string_view kAmpere = "Ampere";
constexpr std::string_view kFujitsu = "Fujitsu";
constexpr std::array kKnownModels{
    KnownModels{kAmd, 0x17, 0x00, 0x2f, "Zen"},
    KnownModels{kAmd, 0x17, 0x50, 0x5f, "Zen"},
    KnownModels{kAmd, 0x17, 0x30, 0xff, "Zen 2"},
    KnownModels{kAmd, 0x19, 0x10, 0x1f, "Zen 4"},
    KnownModels{kAmd, 0x19, 0x60, 0xaf, "Zen 4"},
    KnownModels{kAmd, 0x19, 0x00, 0x5f, "Zen 3"},
    KnownModels{kAmd, 0x1a, 0x00, 0x4f, "Zen 5"},
    KnownModels{kAmd, 0x1a, 0x60, 0x7f, "Zen 5"},
    KnownModels{kIntel, 6, 0x1a, 0x1a, "Nehalem"},
    KnownModels{kIntel, 6, 0x1e, 0x1e, "Nehalem"},
    KnownModels{kIntel, 6, 0x2c, 0x2c, "Westmere"},
    KnownModels{kIntel, 6, 0x2a, 0x2a, "Sandy Bridge"},
    KnownModels{kIntel, 6, 0x2d, 0x2d, "Sandy Bridge"},
    KnownModels{kIntel, 6, 0x3a, 0x3a, "Ivy Bridge"},
    KnownModels{kIntel, 6, 0x3e, 0x3e, "Ivy Bridge"},
    KnownModels{kIntel, 6, 0x3c, 0x3c, "Haswell"},
    KnownModels{kIntel, 6, 0x3f, 0x3f, "Haswell"},
    KnownModels{kIntel, 6, 0x45, 0x46, "Haswell"},
    KnownModels{kIntel, 6, 0x3d, 0x3d, "Broadwell"},
    KnownModels{kIntel, 6, 0x47, 0x47, "Broadwell"},
    KnownModels{kIntel, 6, 0x4f, 0x4f, "Broadwell"},
    KnownModels{kIntel, 6, 0x56, 0x56, "Broadwell"},
    KnownModels{kIntel, 6, 0x4e, 0x4e, "Skylake"},
    KnownModels{kIntel, 6, 0x5e, 0x5e, "Skylake"},
    KnownModels{kIntel, 6, 0x55, 0x55, "Skylake"},
    KnownModels{kIntel, 6, 0x8e, 0x8e, "Kaby Lake"},
    KnownModels{kIntel, 6, 0x9e, 0x9e, "Kaby Lake"},
    KnownModels{kIntel, 6, 0xa5, 0xa6, "Comet Lake"},
    KnownModels{kIntel, 6, 0x7d, 0x7e, "Ice Lake"},
    KnownModels{kIntel, 6, 0x6a, 0x6a, "Ice Lake"},
    KnownModels{kIntel, 6, 0x6c, 0x6c, "Ice Lake"},
    KnownModels{kIntel, 6, 0x8c, 0x8d, "Tiger Lake"},
    KnownModels{kIntel, 6, 0xa7, 0xa7, "Rocket Lake"},
    KnownModels{kIntel, 6, 0x97, 0x97, "Alder Lake"},
    KnownModels{kIntel, 6, 0x9a, 0x9a, "Alder Lake"},
    KnownModels{kIntel, 6, 0xb7, 0xb7, "Raptor Lake"},
    KnownModels{kIntel, 6, 0xba, 0xba, "Raptor Lake"},
    KnownModels{kIntel, 6, 0xbf, 0xbf, "Raptor Lake"},
    KnownModels{kIntel, 6, 0x8f, 0x8f, "Sapphire Rapids"},
    KnownModels{kIntel, 6, 0xcf, 0xcf, "Emerald Rapids"},
    KnownModels{kIntel, 6, 0xad, 0xae, "Granite Rapids"},
    KnownModels{kIntel, 6, 0xaf, 0xaf, "Sierra Forest"},
    KnownModels{kIntel, 6, 0xaa, 0xaa, "Meteor Lake"},
    KnownModels{kIntel, 6, 0xac, 0xac, "Meteor Lake"},
    KnownModels{kIntel, 6, 0xbd, 0xbd, "Lunar Lake"},
    KnownModels{kIntel, 6, 0xc5, 0xc6, "Arrow Lake"},
    KnownModels{kArm, 8, 0xd03, 0xd03, "Cortex-A53"},
    KnownModels{kArm, 8, 0xd07, 0xd07, "Cortex-A57"},
    KnownModels{kArm, 8, 0xd08, 0xd08, "Cortex-A72"},
    KnownModels{kArm, 8, 0xd0b, 0xd0b, "Cortex-A76"},
    KnownModels{kArm, 8, 0xd0c, 0xd0c, "Neoverse N1"},
    KnownModels{kArm, 8, 0xd40, 0xd40, "Neoverse V1"},
    KnownModels{kArm, 8, 0xd49, 0xd49, "Neoverse N2"},
    KnownModels{kArm, 8, 0xd4f, 0xd4f, "Neoverse V2"},
    KnownModels{kArm, 8, 0xd84, 0xd84, "Neoverse V3"},
    KnownModels{kArm, 8, 0xd85, 0xd85, "Cortex-X925"},
    KnownModels{kArm, 8, 0xd87, 0xd87, "Cortex-A725"},
    KnownModels{kArm, 8, 0xd8e, 0xd8e, "Neoverse N3"},
    KnownModels{kAmpere, 8, 0xac3, 0xac4, "AmpereOne"},
    KnownModels{kFujitsu, 8, 0x001, 0x001, "A64FX"},
};

[[maybe_unused]] std::string trimmed(std::string text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0 || c == '\0'; };
  while (!text.empty() && blank(static_cast<unsigned char>(text.back()))) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
  return text;
}

#if defined(__x86_64__)
std::string letters(std::initializer_list<std::uint32_t> registers) {
  std::string text;
  for (const std::uint32_t value : registers) {
    char four[4];
    std::memcpy(four, &value, sizeof four);
    text.append(four, sizeof four);
  }
  return trimmed(text.substr(0, text.find('\0')));
}

ProcessorFacts ask_processor() {
  ProcessorFacts p;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) != 0) p.vendor = letters({b, d, c});
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) {
    const std::uint32_t family = (a >> 8) & 0xf;
    p.family = static_cast<int>(family + (family == 0xf ? (a >> 20) & 0xff : 0));
    p.model = static_cast<int>(((a >> 4) & 0xf) | (family == 0xf || family == 6 ? ((a >> 16) & 0xf) << 4 : 0));
    p.stepping = static_cast<int>(a & 0xf);
    p.virtual_machine = ((c >> 31) & 1) != 0;
  }
  if (p.virtual_machine) {
    __cpuid(0x40000000, a, b, c, d);
    p.hypervisor = letters({b, c, d});
  }
  for (std::uint32_t leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
    if (__get_cpuid(leaf, &a, &b, &c, &d) == 0) break;
    for (const std::uint32_t part : {a, b, c, d}) {
      char four[4];
      std::memcpy(four, &part, sizeof four);
      p.brand.append(four, sizeof four);
    }
  }
  p.brand = trimmed(p.brand.substr(0, p.brand.find('\0')));
  __builtin_cpu_init();
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  p.simd = avx512                             ? "AVX-512"
           : __builtin_cpu_supports("avx2")   ? "AVX2"
           : __builtin_cpu_supports("avx")    ? "AVX"
           : __builtin_cpu_supports("sse4.2") ? "SSE4.2"
                                              : "SSE2";
  return p;
}

/// True if there is AMX, and the version of AVX10, 0 for none: from CPUID leaves 7 and 0x24.
std::pair<bool, int> newest_instructions() {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t d = 0;
  const bool has_amx = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && ((d >> 24) & 1) != 0;
  const bool has_avx10 = __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && ((d >> 19) & 1) != 0;
  if (!has_avx10 || __get_cpuid_count(0x24, 0, &a, &b, &c, &d) == 0) return {has_amx, 0};
  return {has_amx, static_cast<int>(b & 0xff)};
}
#else
std::pair<bool, int> newest_instructions() {
  return {};
}

#if defined(__aarch64__)
std::string_view implementer(std::uint64_t code) {
  switch (code) {
    case 0x41: return kArm;
    case 0x46: return kFujitsu;
    case 0xc0: return kAmpere;
    default: return {};
  }
}

std::string widest_vectors() {
  constexpr unsigned long has_sve = 1UL << 22;  // a bit of AT_HWCAP
  constexpr unsigned long has_sve2 = 1UL << 1;  // a bit of AT_HWCAP2
  constexpr int get_vector_length = 51;         // PR_SVE_GET_VL
  constexpr int length_bytes = 0xffff;          // the bits of its answer with the length
  if ((getauxval(AT_HWCAP) & has_sve) == 0) return "NEON";
  const int answer = prctl(get_vector_length);
  const std::string name = (getauxval(AT_HWCAP2) & has_sve2) != 0 ? "SVE2" : "SVE";
  return answer < 0 ? name : fmt::format("{} of {} bits", name, 8 * (answer & length_bytes));
}

ProcessorFacts ask_processor() {
  ProcessorFacts p;
  p.simd = widest_vectors();
  constexpr unsigned long shows_registers = 1UL << 11;  // HWCAP_CPUID: the system answers reads of MIDR_EL1
  if ((getauxval(AT_HWCAP) & shows_registers) == 0) return p;
  std::uint64_t midr = 0;
  asm("mrs %0, MIDR_EL1" : "=r"(midr));
  p.vendor = implementer(midr >> 24 & 0xff);
  p.family = 8;
  p.model = static_cast<int>(midr >> 4 & 0xfff);
  p.stepping = static_cast<int>((midr >> 20 & 0xf) << 4 | (midr & 0xf));  // variant and revision
  return p;
}
#else
ProcessorFacts ask_processor() {
  return {};
}
#endif
#endif

/// The architecture of the kernel, or an empty text before Linux 6.1. Emulators leave this file alone, while they
/// answer uname() with the architecture that they emulate.
std::string kernel_architecture() {
  std::ifstream file{"/proc/sys/kernel/arch"};
  std::string kernel;
  file >> kernel;
  return kernel;
}

}  // namespace

bool is_emulated(std::string_view kernel_architecture, std::string_view hypervisor) {
#if defined(__x86_64__)
  constexpr std::string_view own = "x86_64";
#elif defined(__aarch64__)
  constexpr std::string_view own = "aarch64";
#else
  constexpr std::string_view own;
#endif
  if (hypervisor.starts_with("TCG")) return true;  // QEMU without KVM, of a program or of a whole machine
  return !own.empty() && !kernel_architecture.empty() && kernel_architecture != own;
}

const ProcessorFacts& processor() {
  static const ProcessorFacts known = [] {
    ProcessorFacts p = ask_processor();
    const auto [has_amx, avx10_version] = newest_instructions();
    p.emulated = is_emulated(kernel_architecture(), p.hypervisor);
    p.microarchitecture = microarchitecture_behind(find_microarchitecture(p.vendor, p.family, p.model, p.stepping),
                                                   has_amx, avx10_version);
    return p;
  }();
  return known;
}

std::string_view find_microarchitecture(std::string_view vendor, int family, int model, int stepping) {
  // Three cores share this model number; the stepping distinguishes them.
  if (vendor == kIntel && family == 6 && model == 0x55 && stepping >= 5) {
    return stepping >= 10 ? "Cooper Lake" : "Cascade Lake";
  }
  for (const KnownModels& known : kKnownModels) {
    if (vendor == known.vendor && family == known.family && model >= known.first_model && model <= known.last_model) {
      return known.name;
    }
  }
  return {};
}

std::string_view microarchitecture_behind(std::string_view shown, bool has_amx, int avx10_version) {
  constexpr std::array<std::string_view, 3> with_amx{"Sapphire Rapids", "Emerald Rapids", "Granite Rapids"};
  if (!has_amx || shown.empty() || std::ranges::find(with_amx, shown) != with_amx.end()) return shown;
  return avx10_version == 1 ? "Granite Rapids" : "";
}

std::string brand_slug(std::string_view brand) {
  static const std::regex noise{R"(\((R|TM|r|tm)\)|@.*$|\b(AMD|Intel|CPU|Processor|Core Processor)\b|\b\w+-Core\b)"};
  const std::string name = std::regex_replace(std::string{brand}, noise, " ");
  std::string slug;
  for (const char letter : name) {
    const auto c = static_cast<unsigned char>(letter);
    if (std::isalnum(c) != 0) {
      slug += static_cast<char>(std::tolower(c));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

}  // namespace sortlab
