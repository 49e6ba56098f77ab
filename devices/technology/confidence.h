#pragma once
// How a number came to be known: printed beside every parameter set of transistors, wires and ferroelectrics.

#include <span>
#include <utility>

namespace tellegen::devices {

enum class Confidence {
  published,  ///< read in the paper, model card or table that is named
  extracted,  ///< computed by us from what is named, by a stated method
  assumed,    ///< a working value of the right size, without a source that was read
};
std::span<const std::pair<Confidence, const char*>> enum_names(Confidence);

}  // namespace tellegen::devices
