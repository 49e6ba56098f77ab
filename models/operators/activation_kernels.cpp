#include "tellegen/models/operators/activation_kernels.h"

#include <algorithm>

#include "tellegen/models/operators/vector_math.h"

namespace tellegen::models::kernels {

namespace {

struct Sigmoid {
  static TELLEGEN_KERNEL float of(float x) { return vector_sigmoid(x); }
};
struct Tanh {
  static TELLEGEN_KERNEL float of(float x) { return vector_tanh(x); }
};
struct NormalCdf {
  static TELLEGEN_KERNEL float of(float x) { return vector_normal_cdf(x); }
};
struct GeluTanhFactor {
  static TELLEGEN_KERNEL float of(float x) {
    constexpr float kRootTwoOverPi = 0.797884561F, kCubic = 0.044715F;
    return 0.5F + 0.5F * vector_tanh(kRootTwoOverPi * (x + kCubic * x * x * x));
  }
};
struct TanhSech {
  /// With exponentials of -|x| only, so that nothing overflows.
  static TELLEGEN_KERNEL float of(float x) {
    const float e = vector_exp(-std::abs(x));
    return vector_tanh(x) * (2.0F * e / (1.0F + e * e));
  }
};

template <class Function>
struct Each {
  static TELLEGEN_KERNEL void run(float* x, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i) x[i] = Function::of(x[i]);
  }
};

struct SoftmaxLine {
  static constexpr std::int64_t kLanes = 16;

  static TELLEGEN_KERNEL void run(float* x, std::int64_t size) {
    float lanes[kLanes];
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = x[0];
    const std::int64_t whole = size - size % kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes)
      for (std::int64_t lane = 0; lane < kLanes; ++lane)
        lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
    float largest = lanes[0];
    for (const float lane : lanes) largest = std::max(largest, lane);
    for (std::int64_t i = whole; i < size; ++i) largest = std::max(largest, x[i]);
    for (std::int64_t i = 0; i < size; ++i) x[i] = vector_exp(x[i] - largest);
    for (float& lane : lanes) lane = 0;
    for (std::int64_t i = 0; i < whole; i += kLanes)
      for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += x[i + lane];
    float sum = 0;
    for (const float lane : lanes) sum += lane;
    for (std::int64_t i = whole; i < size; ++i) sum += x[i];
    for (std::int64_t i = 0; i < size; ++i) x[i] /= sum;
  }
};

}  // namespace

void sigmoid(VectorUnit unit, float* x, std::int64_t size) { run_kernel<Each<Sigmoid>>(unit, x, size); }
void tanh(VectorUnit unit, float* x, std::int64_t size) { run_kernel<Each<Tanh>>(unit, x, size); }
void normal_cdf(VectorUnit unit, float* x, std::int64_t size) { run_kernel<Each<NormalCdf>>(unit, x, size); }
void gelu_tanh_factor(VectorUnit unit, float* x, std::int64_t size) { run_kernel<Each<GeluTanhFactor>>(unit, x, size); }
void tanh_sech(VectorUnit unit, float* x, std::int64_t size) { run_kernel<Each<TanhSech>>(unit, x, size); }
void softmax(VectorUnit unit, float* x, std::int64_t size) { run_kernel<SoftmaxLine>(unit, x, size); }

}  // namespace tellegen::models::kernels
