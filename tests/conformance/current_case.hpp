// The current case, which is printed on a crash.
#pragma once

#include <string>

namespace sortlab {

/// Sets the current case during its lifetime; see name_case_on_crash().
class CurrentCase {
 public:
  explicit CurrentCase(std::string text);
  CurrentCase(const CurrentCase&) = delete;
  CurrentCase& operator=(const CurrentCase&) = delete;
  ~CurrentCase();
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  const std::string* outer_;
};

/// Makes a fault (such as an access to a guard page) print the current case to standard error before it ends the
/// program.
void name_case_on_crash();

}  // namespace sortlab
