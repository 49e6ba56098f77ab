#include "tellegen/models/gating/gate_batch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/vector_exp.h"

namespace tellegen::models::gating {

namespace {

constexpr std::size_t kBlock = 256;  // what fits into the first cache beside its inputs

struct Branch {
  float slope, constant;
  float tau, theta;  ///< of the threshold to its right; unused in the last branch
};

struct Block {
  float x[kBlock], y[kBlock], rest[kBlock], opened[kBlock], sum[kBlock], weight[kBlock], exponent[kBlock];
};

/// The normal distribution function within 1e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
TELLEGEN_KERNEL float normal_cdf_float(float u) {
  const float magnitude = u < 0 ? -u : u;
  const float z = magnitude * 0.707106781F;
  const float t = 1.0F / (1.0F + 0.3275911F * z);
  const float series =
      t * (0.254829592F + t * (-0.284496736F + t * (1.421413741F + t * (-1.453152027F + t * 1.061405429F))));
  const float tail = 0.5F * series * vector_exp(-z * z);
  return u < 0 ? tail : 1.0F - tail;
}

template <Kernel kernel>
TELLEGEN_KERNEL float opened(float x, const Branch& branch) {
  const float distance = x - branch.theta;
  if constexpr (kernel == Kernel::logistic) {
    return 1.0F / (1.0F + vector_exp(-branch.tau * distance));
  } else if constexpr (kernel == Kernel::hard) {
    return (distance > 0 ? 0.5F : 0.0F) + (distance >= 0 ? 0.5F : 0.0F);
  } else if constexpr (kernel == Kernel::ramp) {
    float s = branch.tau * distance + 0.5F;
    s = s < 0.0F ? 0.0F : s;
    return s > 1.0F ? 1.0F : s;
  } else {
    return normal_cdf_float(branch.tau * distance);
  }
}

/// Gates of pairs: telescoping and unequal (differences) or a cascade (products).
template <Kernel kernel, bool cascade>
struct PairGates {
  TELLEGEN_KERNEL static void run(const Branch* branches, std::size_t count, Block& block, std::size_t size) {
    std::fill_n(block.rest, size, 1.0F);
    std::fill_n(block.y, size, 0.0F);
    for (std::size_t k = 0; k + 1 < count; ++k) {
      const Branch branch = branches[k];
      for (std::size_t i = 0; i < size; ++i) block.opened[i] = opened<kernel>(block.x[i], branch);
      for (std::size_t i = 0; i < size; ++i) {
        const float next = cascade ? block.rest[i] * block.opened[i] : block.opened[i];
        block.y[i] += (block.rest[i] - next) * (branch.slope * block.x[i] + branch.constant);
        block.rest[i] = next;
      }
    }
    const Branch last = branches[count - 1];
    for (std::size_t i = 0; i < size; ++i) block.y[i] += block.rest[i] * (last.slope * block.x[i] + last.constant);
  }
};

/// Legs that share one tail, added one by one; the largest exponent so far is the unit of the sums.
struct NormalisedGates {
  TELLEGEN_KERNEL static void run(const Branch* branches, std::size_t count, Block& block, std::size_t size) {
    std::fill_n(block.exponent, size, 0.0F);  // of the leg, less the largest one
    std::fill_n(block.sum, size, 1.0F);
    for (std::size_t i = 0; i < size; ++i) block.y[i] = branches[0].slope * block.x[i] + branches[0].constant;
    for (std::size_t k = 1; k < count; ++k) {
      const Branch before = branches[k - 1], branch = branches[k];
      for (std::size_t i = 0; i < size; ++i) {
        const float exponent = block.exponent[i] + before.tau * (block.x[i] - before.theta);
        const float above = exponent > 0 ? exponent : 0.0F;
        const float scale = vector_exp(-above), weight = vector_exp(exponent - above);
        block.exponent[i] = exponent - above;
        block.sum[i] = block.sum[i] * scale + weight;
        block.y[i] = block.y[i] * scale + weight * (branch.slope * block.x[i] + branch.constant);
      }
    }
    for (std::size_t i = 0; i < size; ++i) block.y[i] /= block.sum[i];
  }
};

template <class Gates>
struct InBlocks {
  TELLEGEN_KERNEL static void run(const Branch* branches, std::size_t count, const float* x, float* y,
                                  std::size_t size) {
    Block block;
    for (std::size_t begin = 0; begin < size; begin += kBlock) {
      const std::size_t length = std::min(kBlock, size - begin);
      std::copy_n(x + begin, length, block.x);
      Gates::run(branches, count, block, length);
      std::copy_n(block.y, length, y + begin);
    }
  }
};

template <bool cascade>
void run_pairs(Kernel kernel, VectorUnit unit, std::span<const Branch> branches, std::span<const float> x, float* y) {
  const auto run = [&]<Kernel k>() {
    run_kernel<InBlocks<PairGates<k, cascade>>>(unit, branches.data(), branches.size(), x.data(), y, x.size());
  };
  switch (kernel) {
    case Kernel::logistic:
      return run.template operator()<Kernel::logistic>();
    case Kernel::hard:
      return run.template operator()<Kernel::hard>();
    case Kernel::ramp:
      return run.template operator()<Kernel::ramp>();
    case Kernel::erf:
      return run.template operator()<Kernel::erf>();
  }
}

}  // namespace

void evaluate(const ThresholdGate& gate, std::span<const float> x, std::span<float> y, VectorUnit unit) {
  TELLEGEN_ASSERT(x.size() == y.size());
  TELLEGEN_ASSERT(gate.branches() > 0 && gate.theta.size() + 1 == gate.branches());
  std::vector<Branch> branches(gate.branches());
  for (std::size_t k = 0; k < branches.size(); ++k) {
    branches[k].slope = static_cast<float>(gate.slope[k]);
    branches[k].constant = static_cast<float>(gate.constant[k]);
    if (k + 1 == branches.size()) continue;
    branches[k].tau = static_cast<float>(gate.sharpness(k));
    branches[k].theta = static_cast<float>(gate.theta[k]);
  }
  switch (gate.construction) {
    case Construction::telescoping:
    case Construction::unequal:
      return run_pairs<false>(gate.kernel, unit, branches, x, y.data());
    case Construction::cascade:
      return run_pairs<true>(gate.kernel, unit, branches, x, y.data());
    case Construction::normalised:
      return run_kernel<InBlocks<NormalisedGates>>(unit, branches.data(), branches.size(), x.data(), y.data(),
                                                   x.size());
  }
}

}  // namespace tellegen::models::gating
