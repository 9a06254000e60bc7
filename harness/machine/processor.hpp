// The processor's description of itself (CPUID on x86, MIDR_EL1 on Arm).
#pragma once

#include <string>
#include <string_view>

namespace sortlab {

struct ProcessorFacts {
  std::string vendor;  ///< "AuthenticAMD"; empty if the processor does not report it
  int family = 0;      ///< with the extended family added, as in the vendors' manuals
  int model = 0;       ///< with the extended model
  int stepping = 0;
  std::string brand;              ///< "AMD EPYC 7B13"
  std::string microarchitecture;  ///< "Zen 3"; empty if this table does not know it
  std::string simd;  ///< widest instruction set that program and system support: "AVX-512", "AVX2", "SSE4.2", "SSE2",
                     ///< "NEON", "SVE2 of 128 bits"
  std::string hypervisor;  ///< "KVMKVMKVM"; empty on bare metal
  bool virtual_machine = false;
  bool emulated = false;  ///< the program runs under an emulator of its processor, such as qemu-user
};

const ProcessorFacts& processor();

/// True if an emulator runs the program: the kernel is one for other processors, as behind qemu-user, or what calls
/// itself the hypervisor translates code (QEMU without KVM, also of the same architecture).
/// `kernel_architecture`: as /proc/sys/kernel/arch has it, or empty where there is no such file.
bool is_emulated(std::string_view kernel_architecture, std::string_view hypervisor);

/// Name of a microarchitecture: "Zen 3" for AuthenticAMD, 25, 1; empty if not known.
std::string_view find_microarchitecture(std::string_view vendor, int family, int model, int stepping);

/// Corrects `shown`, the microarchitecture by CPUID, if a hypervisor reports an older model. If `shown` has no AMX but
/// the processor does, returns "Granite Rapids" with AVX10 version 1, else an empty name.
std::string_view microarchitecture_behind(std::string_view shown, bool has_amx, int avx10_version);

/// The part of a brand that distinguishes models of one vendor: "epyc-7b13" for "AMD EPYC 7B13 64-Core Processor".
std::string brand_slug(std::string_view brand);

}  // namespace sortlab
