#pragma once
// The result file of ngspice: a text header, then binary doubles.

#include <complex>
#include <map>
#include <string>

namespace tellegen::circuits {

/// First point of the first plot, by name of the vector. Throws std::runtime_error where the content is no such file.
std::map<std::string, std::complex<double>> first_point(const std::string& content);

}  // namespace tellegen::circuits
