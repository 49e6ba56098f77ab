#include "tellegen/circuits/spice/raw_file.h"

#include <cstring>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace tellegen::circuits {
namespace {

[[noreturn]] void damaged(const std::string& what) {
  throw std::runtime_error("The result file of ngspice cannot be read: " + what + ".");
}

}  // namespace

std::map<std::string, std::complex<double>> first_point(const std::string& content) {
  const std::string begin = "Binary:\n";
  const std::size_t header_end = content.find(begin);
  if (header_end == std::string::npos) damaged("it has no binary part");
  std::istringstream header(content.substr(0, header_end));
  std::vector<std::string> names;
  bool complex_numbers = false;
  bool naming = false;
  for (std::string line; std::getline(header, line);) {
    if (line.starts_with("Flags:")) complex_numbers = line.find("complex") != std::string::npos;
    if (naming) {
      std::istringstream words(line);
      std::string number, name;
      if (!(words >> number >> name)) damaged("a vector has no name");
      names.push_back(name);
    }
    naming = naming || line.starts_with("Variables:");
  }
  const std::size_t numbers = names.size() * (complex_numbers ? 2 : 1);
  const std::size_t data = header_end + begin.size();
  if (names.empty() || content.size() < data + numbers * sizeof(double)) damaged("it is too short");
  std::vector<double> values(numbers);
  std::memcpy(values.data(), content.data() + data, numbers * sizeof(double));
  std::map<std::string, std::complex<double>> out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    out[names[k]] = complex_numbers ? std::complex(values[2 * k], values[2 * k + 1]) : std::complex(values[k], 0.0);
  }
  return out;
}

}  // namespace tellegen::circuits
