#pragma once
// What reader and writer of native network files share.

#include <cstdint>

namespace tellegen::models::native {

inline constexpr const char* kFormat = "tellegen network";
inline constexpr std::int64_t kVersion = 1;

}  // namespace tellegen::models::native
