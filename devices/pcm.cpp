#include "tellegen/devices/pcm.h"

namespace tellegen::devices {

void PcmParameters::settings(Settings& v) {
  range.settings(v);
  v("t0", t0, "time from the end of programming to the first read, at which drift starts to count", positive());
  v("read_time", read_time, "width of the read pulse: upper end of the 1/f noise that a read sees", positive());
}

}  // namespace tellegen::devices
