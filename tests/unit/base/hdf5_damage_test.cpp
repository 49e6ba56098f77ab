#include "hdf5_damage.h"

namespace tellegen {
namespace {

TEST(Hdf5Damage, IsReadOrRefused) { testing_support::expect_damage_is_read_or_refused(300); }

}  // namespace
}  // namespace tellegen
