#include "tellegen/models/operators/catalog.h"

#include <array>

#include "tellegen/models/onnx/control_flow.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/average_pool.h"
#include "tellegen/models/operators/batch_normalization.h"
#include "tellegen/models/operators/choose.h"
#include "tellegen/models/operators/concat.h"
#include "tellegen/models/operators/constant.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/elementary.h"
#include "tellegen/models/operators/gather.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/max_pool.h"
#include "tellegen/models/operators/normalization.h"
#include "tellegen/models/operators/pad.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/prelu.h"
#include "tellegen/models/operators/recurrent_import.h"
#include "tellegen/models/operators/reduce.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/sizes.h"
#include "tellegen/models/operators/slice.h"
#include "tellegen/models/operators/softmax.h"
#include "tellegen/models/operators/transpose.h"

namespace tellegen::models {

namespace {

constexpr std::array kCatalog{
    OperatorEntry{"Abs", 6, "Magnitude.", import_abs},
    OperatorEntry{"Add", 7, "Sum with broadcasting.", import_add},
    OperatorEntry{"AveragePool", 7, "Mean over windows of one or two dimensions.", import_average_pool},
    OperatorEntry{"BatchNormalization", 9,
                  "Scale and shift per channel with recorded statistics; training mode is refused.",
                  import_batch_normalization},
    OperatorEntry{"Cast", 6, "Another type of number.", import_cast},
    OperatorEntry{"Clip", 6, "Limits to a range.", import_clip},
    OperatorEntry{"Concat", 4, "Tensors one behind the other; not along the batch.", import_concat},
    OperatorEntry{"Constant", 1, "A tensor written into the graph.", import_constant},
    OperatorEntry{"ConstantOfShape", 9, "One number in a shape that is known at import.", import_constant_of_shape},
    OperatorEntry{"Conv", 1,
                  "Convolution over one or two dimensions with constant weights; groups, strides, pads, dilations.",
                  import_conv},
    OperatorEntry{"Cos", 7, "Cosine.", import_cos},
    OperatorEntry{"Cosh", 9, "Hyperbolic cosine.", import_cosh},
    OperatorEntry{"Div", 7, "Quotient with broadcasting.", import_div},
    OperatorEntry{"Dropout", 1, "Nothing in inference; training mode is refused.", import_dropout},
    OperatorEntry{"Elu", 6, "x where positive, alpha (exp(x) - 1) elsewhere.", import_elu},
    OperatorEntry{"Equal", 7, "1 where two tensors are equal, else 0.", import_equal},
    OperatorEntry{"Erf", 9, "Error function.", import_erf},
    OperatorEntry{"Exp", 6, "Exponential.", import_exp},
    OperatorEntry{"Expand", 8, "Repeats to a shape that is known at import.", import_expand},
    OperatorEntry{"Flatten", 1, "Dimensions of a sample as one.", import_flatten},
    OperatorEntry{"GRU", 7, "Gated recurrent units; both directions, both forms of the reset.", import_gru},
    OperatorEntry{"Gather", 1, "Entries by constant numbers, or rows of a constant table by computed ones.",
                  import_gather},
    OperatorEntry{"Gemm", 7, "Product with a constant matrix, and a constant bias.", import_gemm},
    OperatorEntry{"GlobalAveragePool", 1, "Mean of each channel.", import_global_average_pool},
    OperatorEntry{"Greater", 7, "1 where the first is greater, else 0.", import_greater},
    OperatorEntry{"GreaterOrEqual", 12, "1 where the first is not less, else 0.", import_greater_or_equal},
    OperatorEntry{"HardSigmoid", 6, "max(0, min(1, alpha x + beta)).", import_hard_sigmoid},
    OperatorEntry{"HardSwish", 14, "x max(0, min(1, x / 6 + 1 / 2)).", import_hard_swish},
    OperatorEntry{"Identity", 1, "Nothing.", import_identity},
    OperatorEntry{"If", 1, "The branch that is taken, where the condition is known at import.", onnx::import_if},
    OperatorEntry{"LSTM", 7, "Long short-term memory; both directions, peepholes, initial states.", import_lstm},
    OperatorEntry{"LayerNormalization", 17, "Trailing dimensions to mean 0 and variance 1, then scale and shift.",
                  import_layer_normalization},
    OperatorEntry{"LeakyRelu", 6, "x where positive, alpha x elsewhere.", import_leaky_relu},
    OperatorEntry{"Less", 7, "1 where the first is less, else 0.", import_less},
    OperatorEntry{"LessOrEqual", 12, "1 where the first is not greater, else 0.", import_less_or_equal},
    OperatorEntry{"Log", 6, "Natural logarithm.", import_log},
    OperatorEntry{"Loop", 1, "The body once for each turn, where the turns are known at import, at most 1024.",
                  onnx::import_loop},
    OperatorEntry{"MatMul", 1, "Product with a constant matrix, or of computed matrices.", import_matmul},
    OperatorEntry{"Max", 8, "The greatest of several tensors.", import_max},
    OperatorEntry{"MaxPool", 1, "Largest value of windows of one or two dimensions.", import_max_pool},
    OperatorEntry{"Min", 8, "The least of several tensors.", import_min},
    OperatorEntry{"Mish", 18, "x tanh(log(1 + exp(x))).", import_mish},
    OperatorEntry{"Mul", 7, "Product with broadcasting.", import_mul},
    OperatorEntry{"Neg", 6, "The other sign.", import_neg},
    OperatorEntry{"PRelu", 7, "x where positive, a constant slope times x elsewhere.", import_prelu},
    OperatorEntry{"Pad", 2, "Numbers, mirrored or repeated entries around a sample.", import_pad},
    OperatorEntry{"Pow", 7, "Power with broadcasting.", import_pow},
    OperatorEntry{"RNN", 7, "Plain recurrent layer; both directions, initial states.", import_rnn},
    OperatorEntry{"Range", 11, "Numbers from a start to a limit, known at import.", import_range},
    OperatorEntry{"Reciprocal", 6, "1 / x.", import_reciprocal},
    OperatorEntry{"ReduceL2", 1, "Root of the sum of squares over dimensions of a sample.", import_reduce_l2},
    OperatorEntry{"ReduceMax", 1, "Greatest over dimensions of a sample.", import_reduce_max},
    OperatorEntry{"ReduceMean", 1, "Mean over dimensions of a sample.", import_reduce_mean},
    OperatorEntry{"ReduceMin", 1, "Least over dimensions of a sample.", import_reduce_min},
    OperatorEntry{"ReduceSum", 1, "Sum over dimensions of a sample.", import_reduce_sum},
    OperatorEntry{"ReduceSumSquare", 1, "Sum of squares over dimensions of a sample.", import_reduce_sum_square},
    OperatorEntry{"Relu", 6, "max(0, x).", import_relu},
    OperatorEntry{"Reshape", 5, "Other dimensions of a sample by a shape that is known at import; samples stay apart.",
                  import_reshape},
    OperatorEntry{"Shape", 1, "Dimensions as numbers; the batch stays free.", import_shape},
    OperatorEntry{"Sigmoid", 6, "1 / (1 + exp(-x)).", import_sigmoid},
    OperatorEntry{"Sin", 7, "Sine.", import_sin},
    OperatorEntry{"Slice", 1, "Ranges of a sample's dimensions.", import_slice},
    OperatorEntry{"Softmax", 1, "exp(x) over its sum, along an axis (from opset 13) or all axes from one on (before).",
                  import_softmax},
    OperatorEntry{"Softplus", 1, "log(1 + exp(x)).", import_softplus},
    OperatorEntry{"Split", 2, "Parts of a dimension as several outputs.", import_split},
    OperatorEntry{"Sqrt", 6, "Square root.", import_sqrt},
    OperatorEntry{"Squeeze", 1, "Takes out dimensions of one.", import_squeeze},
    OperatorEntry{"Sub", 7, "Difference with broadcasting.", import_sub},
    OperatorEntry{"Tanh", 6, "Hyperbolic tangent.", import_tanh},
    OperatorEntry{"Transpose", 1, "Dimensions in another order.", import_transpose},
    OperatorEntry{"Trilu", 14, "A triangle of a matrix.", import_trilu},
    OperatorEntry{"Unsqueeze", 1, "Puts in dimensions of one.", import_unsqueeze},
    OperatorEntry{"Where", 9, "One of two tensors, element by element.", import_where},
};

}  // namespace

std::span<const OperatorEntry> operator_catalog() { return kCatalog; }

}  // namespace tellegen::models
