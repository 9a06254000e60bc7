// Resolves the parameters of the sort into settings.
#pragma once

#include "algorithms/plugin.hpp"
#include "algorithms/stehle_hybrid_radix/plan.hpp"

namespace sortlab::hybrid_radix {

/// Settings from resolved parameters; 0 stands for Table 3's value for the key and value type.
inline Settings resolve_settings(const Parameters& parameters, const Problem& problem) {
  const auto number = [&](std::string_view name) { return static_cast<int>(parameters.integer(name)); };
  const auto or_table3 = [](int given, int row) { return given == 0 ? row : given; };
  const Settings row = table3(byte_size(problem.key), byte_size(problem.value));
  Settings settings{
      .digit_bits = number("digit_bits"),
      .threads = or_table3(number("threads"), row.threads),
      .items = or_table3(number("items"), row.items),
      .block_keys = 0,
      .local_keys = static_cast<std::uint32_t>(or_table3(number("local_keys"), static_cast<int>(row.local_keys))),
      .merge_keys = static_cast<std::uint32_t>(number("merge_keys")),
      .classes = chosen("classes", parameters.word("classes"), kClasses),
      .staging = chosen("staging", parameters.word("staging"), kStagings),
      .look_ahead = parameters.integer("look_ahead") > 0 &&
                    (problem.value == ValueType::none || parameters.word("look_ahead_pairs") == "yes"),
      .thread_reduction = chosen("thread_reduction", parameters.word("thread_reduction"), kYesOrNo),
      .lists = chosen("lists", parameters.word("lists"), kLists),
      .local_sort = chosen("local_sort", parameters.word("local_sort"), kLocalSorts)};
  settings.block_keys = static_cast<std::uint32_t>(or_table3(number("block_keys"), settings.threads * settings.items));
  return settings;
}

}  // namespace sortlab::hybrid_radix
