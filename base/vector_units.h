#pragma once
// Kernels are compiled once per vector unit and chosen at run time. The arithmetic is the same operation by operation
// (no contraction, no reassociation), so every version gives the same bits; tests call each version by hand.

#include <array>

#define TELLEGEN_TARGET_AVX2 __attribute__((target("avx2")))
#if defined(__clang__)
#define TELLEGEN_TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define TELLEGEN_TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
/// Marks every function that a kernel is made of: inlined into each version, so compiled for that version's unit.
#define TELLEGEN_KERNEL inline __attribute__((always_inline))

namespace tellegen {

enum class VectorUnit { baseline, avx2, avx512 };

inline constexpr std::array vector_units = {VectorUnit::baseline, VectorUnit::avx2, VectorUnit::avx512};

inline bool is_supported(VectorUnit unit) {
  switch (unit) {
    case VectorUnit::baseline:
      return true;
    case VectorUnit::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    case VectorUnit::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  }
  return false;
}

/// The widest unit of this machine.
inline VectorUnit best_vector_unit() {
  static const VectorUnit best = is_supported(VectorUnit::avx512) ? VectorUnit::avx512
                                 : is_supported(VectorUnit::avx2) ? VectorUnit::avx2
                                                                  : VectorUnit::baseline;
  return best;
}

/// Runs Kernel::run(arguments...) as compiled for `unit`, which the machine must have. The source file is to be
/// compiled with -O3 -fno-math-errno -fno-trapping-math, or the loops stay scalar.
template <class Kernel, class... Arguments>
auto run_baseline(Arguments... arguments) {
  return Kernel::run(arguments...);
}
template <class Kernel, class... Arguments>
TELLEGEN_TARGET_AVX2 auto run_avx2(Arguments... arguments) {
  return Kernel::run(arguments...);
}
template <class Kernel, class... Arguments>
TELLEGEN_TARGET_AVX512 auto run_avx512(Arguments... arguments) {
  return Kernel::run(arguments...);
}
template <class Kernel, class... Arguments>
auto run_kernel(VectorUnit unit, Arguments... arguments) {
  switch (unit) {
    case VectorUnit::avx512:
      return run_avx512<Kernel>(arguments...);
    case VectorUnit::avx2:
      return run_avx2<Kernel>(arguments...);
    case VectorUnit::baseline:
      break;
  }
  return run_baseline<Kernel>(arguments...);
}

}  // namespace tellegen
