// Report of bad input: the command line ends with its message and exit status 2.
#pragma once

#include <stdexcept>

namespace sortlab {

/// Unusable input from a user. The message is one line that names the field and what is allowed.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sortlab
