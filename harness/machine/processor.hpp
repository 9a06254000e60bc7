// The processor as it describes itself (CPUID on x86).
#pragma once

#include <string>
#include <string_view>

namespace sortlab {

struct ProcessorFacts {
  std::string vendor;  ///< "AuthenticAMD"; empty if the processor does not say
  int family = 0;      ///< with the extended family added, as the vendors' manuals count
  int model = 0;       ///< with the extended model
  int stepping = 0;
  std::string brand;              ///< "AMD EPYC 7B13"
  std::string microarchitecture;  ///< "Zen 3"; empty if this table does not know it
  std::string simd;               ///< the widest set usable by program and system: "AVX-512", "AVX2", "SSE4.2", "SSE2"
  std::string hypervisor;         ///< "KVMKVMKVM"; empty on bare metal
  bool virtual_machine = false;
};

const ProcessorFacts& processor();

/// "Zen 3" for AuthenticAMD, 25, 1; empty if not known.
std::string_view microarchitecture_of(std::string_view vendor, int family, int model, int stepping);

/// `shown`, the name of the model that CPUID shows, unless a hypervisor shows an older one than the processor's: where
/// `shown` has no AMX and the processor does, "Granite Rapids" if that has AVX10 version 1, else empty.
std::string_view microarchitecture_behind(std::string_view shown, bool has_amx, int avx10_version);

/// "epyc-7b13" for "AMD EPYC 7B13 64-Core Processor": what distinguishes models of one vendor.
std::string brand_slug(std::string_view brand);

}  // namespace sortlab
