#pragma once
// What all JSON results have in common.

#include <nlohmann/json.hpp>
#include <string>

namespace tellegen::report {

using Json = nlohmann::ordered_json;

/// Indented by one, with a line end. Bytes that are not UTF-8 (in the path of a user's file) become U+FFFD; what is not
/// finite becomes null.
inline std::string json_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tellegen::report
