// A sort in a separate program, which keeps or breaks the protocol on request.
#include "algorithms/common/adapters/process_sort.hpp"

namespace {

using namespace sortlab;

const Register registered{
    std::make_unique<ProcessSort>(Info{.name = "sort_in_python",
                                       .title = "sorted() of Python",
                                       .source = "this test",
                                       .family = "comparison",
                                       .keys = {KeyType::u32},
                                       .parameters = {{.name = "manner",
                                                       .meaning = "what it does when it is asked to sort",
                                                       .standard = std::string{"sorts"},
                                                       .choices = {"sorts", "idles", "babbles", "leaves", "is_late"}}}},
                                  PROGRAM)};

}  // namespace
