#include "tellegen/models/operators/catalog.h"

#include <array>

#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/average_pool.h"
#include "tellegen/models/operators/batch_normalization.h"
#include "tellegen/models/operators/constant.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/max_pool.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/softmax.h"
#include "tellegen/models/operators/transpose.h"

namespace tellegen::models {

namespace {

constexpr std::array kCatalog{
    OperatorEntry{"Add", 7, "Sum with broadcasting.", import_add},
    OperatorEntry{"AveragePool", 7, "Mean over windows of two dimensions.", import_average_pool},
    OperatorEntry{"BatchNormalization", 9,
                  "Scale and shift per channel with recorded statistics; training mode is refused.",
                  import_batch_normalization},
    OperatorEntry{"Clip", 6, "Limits to a range.", import_clip},
    OperatorEntry{"Constant", 1, "A tensor written into the graph.", import_constant},
    OperatorEntry{"Conv", 1, "Convolution over two dimensions with constant weights; groups, strides, pads, dilations.",
                  import_conv},
    OperatorEntry{"Div", 7, "Quotient by a constant.", import_div},
    OperatorEntry{"Dropout", 1, "Nothing in inference; training mode is refused.", import_dropout},
    OperatorEntry{"Flatten", 1, "All dimensions of a sample as one.", import_flatten},
    OperatorEntry{"Gemm", 7, "Product with a constant matrix, and a constant bias.", import_gemm},
    OperatorEntry{"GlobalAveragePool", 1, "Mean of each channel.", import_global_average_pool},
    OperatorEntry{"HardSigmoid", 6, "max(0, min(1, alpha x + beta)).", import_hard_sigmoid},
    OperatorEntry{"HardSwish", 14, "x max(0, min(1, x / 6 + 1 / 2)).", import_hard_swish},
    OperatorEntry{"Identity", 1, "Nothing.", import_identity},
    OperatorEntry{"LeakyRelu", 6, "x where positive, alpha x elsewhere.", import_leaky_relu},
    OperatorEntry{"MatMul", 1, "Product with a constant matrix.", import_matmul},
    OperatorEntry{"MaxPool", 1, "Largest value of windows of two dimensions.", import_max_pool},
    OperatorEntry{"Mul", 7, "Product with broadcasting.", import_mul},
    OperatorEntry{"Relu", 6, "max(0, x).", import_relu},
    OperatorEntry{"Reshape", 5, "Other dimensions of a sample by a constant shape; samples stay apart.",
                  import_reshape},
    OperatorEntry{"Sigmoid", 6, "1 / (1 + exp(-x)).", import_sigmoid},
    OperatorEntry{"Softmax", 1, "exp(x) over its sum, along an axis (from opset 13) or all axes from one on (before).",
                  import_softmax},
    OperatorEntry{"Squeeze", 1, "Takes out dimensions of one.", import_squeeze},
    OperatorEntry{"Sub", 7, "Difference with broadcasting.", import_sub},
    OperatorEntry{"Tanh", 6, "Hyperbolic tangent.", import_tanh},
    OperatorEntry{"Transpose", 1, "Dimensions of a sample in another order.", import_transpose},
    OperatorEntry{"Unsqueeze", 1, "Puts in dimensions of one.", import_unsqueeze},
};

}  // namespace

std::span<const OperatorEntry> operator_catalog() { return kCatalog; }

}  // namespace tellegen::models
