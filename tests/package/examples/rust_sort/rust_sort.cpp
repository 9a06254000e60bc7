// The sorts of Rust's standard library, in a separate program: rust_sort.rs.
#include "algorithms/common/adapters/process_sort.hpp"

namespace {

using namespace sortlab;

const Register registered{
    std::make_unique<ProcessSort>(Info{.name = "rust_sort",
                                       .title = "slice::sort_unstable and sort of Rust's standard library",
                                       .source = "Rust, std::slice",
                                       .family = "comparison",
                                       .version = SORTLAB_VERSION,
                                       .parameters = {{.name = "kind",
                                                       .meaning = "unstable: sort_unstable, in place; stable: sort",
                                                       .standard = std::string{"unstable"},
                                                       .choices = {"unstable", "stable"}}}},
                                  PROGRAM, true)};

}  // namespace
