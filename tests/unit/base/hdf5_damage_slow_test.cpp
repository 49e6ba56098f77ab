#include "hdf5_damage.h"

namespace tellegen {
namespace {

TEST(Hdf5Damage, IsReadOrRefusedThousandsOfTimes) { testing_support::expect_damage_is_read_or_refused(3000); }

}  // namespace
}  // namespace tellegen
