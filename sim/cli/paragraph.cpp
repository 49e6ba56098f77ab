#include "tellegen/sim/cli/paragraph.h"

#include <algorithm>

namespace tellegen::cli {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string paragraph(const std::string& text) {
  constexpr std::size_t width = 96;
  std::string result, line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (!line.empty() && line.size() + end - begin + 1 > width) {
      result += "  " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return result + "  " + line + "\n";
}

}  // namespace tellegen::cli
