#include "hdf5_damage.h"

namespace tellegen {
namespace {

TEST(Hdf5Damage, IsReadOrRefusedAThousandTimes) { testing_support::expect_damage_is_read_or_refused(1000); }

}  // namespace
}  // namespace tellegen
