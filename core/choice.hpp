// Table of a parameter's words, each with the value that the plug-in's code uses for it. Its words are the choices that
// the plug-in declares.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

template <class T>
struct Choice {
  std::string_view word;
  T value;
};

inline constexpr std::array kYesOrNo{Choice<bool>{"yes", true}, Choice<bool>{"no", false}};

/// The words, for Parameter::choices, in the order of the table.
template <class T, std::size_t N>
std::vector<std::string> choice_words(const std::array<Choice<T>, N>& choices) {
  std::vector<std::string> words;
  for (const Choice<T>& choice : choices) words.emplace_back(choice.word);
  return words;
}

/// A setting that no code was compiled for got past Algorithm::declines: a bug, never a default.
[[noreturn]] inline void throw_no_code_for(std::string_view parameter, std::string_view value) {
  throw std::logic_error("no code for " + std::string{parameter} + "=" + std::string{value});
}

/// The value that a word stands for. Throws std::logic_error for a word that is not in the table.
template <class T, std::size_t N>
T chosen(std::string_view parameter, std::string_view word, const std::array<Choice<T>, N>& choices) {
  for (const Choice<T>& choice : choices) {
    if (choice.word == word) return choice.value;
  }
  throw_no_code_for(parameter, word);
}

/// "4, 8 or 16": the values allowed, in words.
template <class Numbers>
std::string listed(const Numbers& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  }
  return text;
}

}  // namespace sortlab
