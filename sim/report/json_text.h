#pragma once
// What all JSON results have in common.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tellegen::report {

using Json = nlohmann::ordered_json;

/// Named texts as the members of an object.
inline Json json_object(const std::vector<std::pair<std::string, std::string>>& fields) {
  Json object = Json::object();
  for (const auto& [name, text] : fields) object[name] = text;
  return object;
}

/// Indented by one, with a line end. Bytes that are not UTF-8 (in the path of a user's file) become U+FFFD; what is not
/// finite becomes null.
inline std::string json_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tellegen::report
