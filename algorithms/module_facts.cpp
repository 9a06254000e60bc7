// A module's description of itself for the program that loads it. Compiled into each module with its compiler and
// flags.
#include "algorithms/module.hpp"
#include "resources.hpp"  // made by the module's build: SORTLAB_MODULE_RESOURCES

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
    .distributions = sortlab::distributions_of_module,
};
}
