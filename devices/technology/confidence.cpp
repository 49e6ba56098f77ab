#include "tellegen/devices/technology/confidence.h"

namespace tellegen::devices {

std::span<const std::pair<Confidence, const char*>> enum_names(Confidence) {
  static constexpr std::pair<Confidence, const char*> names[] = {
      {Confidence::published, "published"}, {Confidence::extracted, "extracted"}, {Confidence::assumed, "assumed"}};
  return names;
}

}  // namespace tellegen::devices
