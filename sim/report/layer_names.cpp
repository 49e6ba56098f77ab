#include "tellegen/sim/report/layer_names.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace tellegen::report {
namespace {

std::vector<std::string> path_parts(const std::string& name) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : name + "/") {
    if (c != '/') {
      part += c;
    } else if (!part.empty()) {
      parts.push_back(std::move(part));
      part.clear();
    }
  }
  return parts;
}

std::string lower_letters(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string short_id(const std::string& name) {
  std::vector<std::string> parts = path_parts(name);
  std::string operation;
  if (parts.size() > 1) {
    operation = lower_letters(parts.back());
    parts.pop_back();
  }
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool repeated = i + 1 < parts.size() && parts[i + 1].rfind(parts[i] + ".", 0) == 0;
    if (!repeated) joined += (joined.empty() ? "" : "_") + parts[i];
  }
  if (joined.empty()) joined = "layer";
  if (std::isdigit(static_cast<unsigned char>(joined[0]))) joined = (operation.empty() ? "layer" : operation) + joined;
  std::replace_if(
      joined.begin(), joined.end(),
      [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-'; }, '_');
  return joined;
}

}  // namespace

std::vector<std::string> layer_ids(const std::vector<std::string>& names) {
  std::set<std::string> taken = {"all"};
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const std::string base = short_id(name);
    std::string id = base;
    for (int copy = 2; !taken.insert(id).second; ++copy) id = base + "_" + std::to_string(copy);
    ids.push_back(id);
  }
  return ids;
}

}  // namespace tellegen::report
