// nlohmann/json for all files that parse or write JSON. Its reader, its writer and the members of ordered_json are
// compiled once, in json_instances.cpp: a fifth of the time that a file with JSON takes. Part of the precompiled
// headers.
#pragma once

#include <nlohmann/json.hpp>

#define SORTLAB_JSON_READER(INSTANCES, ...)                                                       \
  INSTANCES class nlohmann::detail::lexer<nlohmann::ordered_json, nlohmann::detail::__VA_ARGS__>; \
  INSTANCES class nlohmann::detail::parser<nlohmann::ordered_json, nlohmann::detail::__VA_ARGS__>;

#define SORTLAB_JSON(INSTANCES)                                                           \
  INSTANCES class nlohmann::basic_json<nlohmann::ordered_map>;                            \
  INSTANCES class nlohmann::detail::serializer<nlohmann::ordered_json>;                   \
  INSTANCES class nlohmann::detail::json_sax_dom_parser<nlohmann::ordered_json>;          \
  INSTANCES class nlohmann::detail::json_sax_dom_callback_parser<nlohmann::ordered_json>; \
  SORTLAB_JSON_READER(INSTANCES, iterator_input_adapter<const char*>)                     \
  SORTLAB_JSON_READER(INSTANCES, iterator_input_adapter<std::string::const_iterator>)     \
  SORTLAB_JSON_READER(INSTANCES, input_stream_adapter)

SORTLAB_JSON(extern template)
