// What is being sorted, for a crash to name it.
#pragma once

#include <string>

namespace sortlab {

/// Names the case at hand for as long as it lives; see name_case_on_crash().
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

/// From now on a fault (a guard page touched, say) writes the current case to standard error before it ends the
/// program.
void name_case_on_crash();

}  // namespace sortlab
