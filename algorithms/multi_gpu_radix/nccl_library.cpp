#include "algorithms/multi_gpu_radix/nccl_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace sortlab::multi_gpu {
namespace {

// The functions of nccl.h that we call, and its constants. All return 0 for success.
struct Functions {
  int (*version)(int* version);
  int (*init_all)(void** communicators, int devices, const int* list);
  int (*destroy)(void* communicator);
  int (*group_start)();
  int (*group_end)();
  int (*send)(const void* source, std::size_t count, int type, int peer, void* communicator, void* stream);
  int (*receive)(void* destination, std::size_t count, int type, int peer, void* communicator, void* stream);
  const char* (*error)(int result);
};
constexpr int kBytes = 1;  // ncclUint8

struct Library {
  std::optional<Functions> functions;
  std::string missing;
};

Library load() {
  constexpr const char* name = "libnccl.so.2";
  void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {std::nullopt, std::string{name} + " is not installed"};
  Functions functions{};
  const auto bind = [handle](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
    return function != nullptr;
  };
  const bool complete = bind(functions.version, "ncclGetVersion") && bind(functions.init_all, "ncclCommInitAll") &&
                        bind(functions.destroy, "ncclCommDestroy") && bind(functions.group_start, "ncclGroupStart") &&
                        bind(functions.group_end, "ncclGroupEnd") && bind(functions.send, "ncclSend") &&
                        bind(functions.receive, "ncclRecv") && bind(functions.error, "ncclGetErrorString");
  if (!complete) return {std::nullopt, std::string{name} + " has no point-to-point functions: it is too old"};
  return {functions, ""};
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

void check_nccl(int result) {
  if (result != 0) throw std::runtime_error(std::string{"NCCL: "} + library().functions->error(result));
}

}  // namespace

std::optional<std::string> nccl_missing() {
  if (library().functions) return std::nullopt;
  return library().missing;
}

std::string nccl_version() {
  int version = 0;
  if (!library().functions || library().functions->version(&version) != 0) return {};
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

NcclGroup::NcclGroup(const std::vector<int>& devices) : communicators_(devices.size()) {
  if (const auto reason = nccl_missing()) throw std::runtime_error(*reason);
  check_nccl(library().functions->init_all(communicators_.data(), static_cast<int>(devices.size()), devices.data()));
}

NcclGroup::~NcclGroup() {
  for (void* const communicator : communicators_) library().functions->destroy(communicator);
}

void NcclGroup::exchange(const std::vector<Transfer>& transfers, const std::vector<void*>& streams) {
  const Functions& nccl = *library().functions;
  check_nccl(nccl.group_start());
  for (const Transfer& transfer : transfers) {
    check_nccl(nccl.send(transfer.source, transfer.bytes, kBytes, static_cast<int>(transfer.to),
                         communicators_[transfer.from], streams[transfer.from]));
    check_nccl(nccl.receive(transfer.destination, transfer.bytes, kBytes, static_cast<int>(transfer.from),
                            communicators_[transfer.to], streams[transfer.to]));
  }
  check_nccl(nccl.group_end());
}

}  // namespace sortlab::multi_gpu
