// Compiled into each module, with its own compiler and flags: the module's self-description for the program that loads
// it.
#include "algorithms/module.hpp"
#include "resources.hpp"  // of the module: SORTLAB_MODULE_RESOURCES

extern "C" {
[[gnu::visibility("default")]] extern const sortlab::ModuleFacts sortlab_module;
const sortlab::ModuleFacts sortlab_module{
    .contract = sortlab::kContractVersion,
    .unused = 0,
    .layout = sortlab::contract_layout(),
    .sortlab = SORTLAB_PACKAGE_VERSION,
    .compiler = SORTLAB_MODULE_COMPILER,
    .flags = SORTLAB_MODULE_FLAGS,
    .resources = SORTLAB_MODULE_RESOURCES,
    .algorithms = sortlab::algorithms_of_module,
    .components = sortlab::components_of_module,
};
}
