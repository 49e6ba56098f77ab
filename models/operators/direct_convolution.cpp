#include "tellegen/models/operators/direct_convolution.h"

#include <tbb/cache_aligned_allocator.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "tellegen/models/operators/one_thread.h"

namespace tellegen::models {

namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Memory = std::vector<float, tbb::cache_aligned_allocator<float>>;

const dnnl::engine& processor() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

memory::desc floats(const memory::dims& sizes, Tag tag) { return {sizes, memory::data_type::f32, tag}; }

/// oneDNN only reads inputs and weights, but takes no pointer to const.
memory view(const memory::desc& desc, const float* data) { return {desc, processor(), const_cast<float*>(data)}; }

/// Scratch memory is ours: that of the library belongs to the thread that made the primitive.
dnnl::primitive_attr own_scratch() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

/// Grows `buffer` to what `desc` needs.
memory in_buffer(const memory::desc& desc, Memory& buffer) {
  const std::size_t size = (desc.get_size() + sizeof(float) - 1) / sizeof(float);
  if (buffer.size() < size) buffer.resize(size);
  return view(desc, buffer.data());
}

/// A change of order between what we keep and what the kernel wants; nothing where they are the same.
class Reorder {
 public:
  Reorder(const memory::desc& from, const memory::desc& to) {
    if (from == to) return;
    const dnnl::reorder::primitive_desc description(processor(), from, processor(), to, own_scratch());
    scratch_ = description.scratchpad_desc();
    change_ = dnnl::reorder(description);
  }
  bool needed() const { return static_cast<bool>(change_); }
  void run(dnnl::stream& stream, const memory& from, const memory& to, Memory& scratch) const {
    change_.execute(stream,
                    {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}, {DNNL_ARG_SCRATCHPAD, in_buffer(scratch_, scratch)}});
  }

 private:
  dnnl::reorder change_;
  memory::desc scratch_;
};

using Form = DirectConvolution::Form;

memory::dims weight_sizes(const Form& form) {
  memory::dims sizes = {form.outputs_per_group, form.channels_per_group, form.window.kernel[0], form.window.kernel[1]};
  if (form.groups > 1) sizes.insert(sizes.begin(), form.groups);
  return sizes;
}

dnnl::convolution_forward::primitive_desc describe(const Form& form, const Shape& input, const Shape& output) {
  const Window& window = form.window;
  const auto pair = [](const Window::Pair& sizes) { return memory::dims{sizes[0], sizes[1]}; };
  const memory::desc bias = form.bias.empty() ? memory::desc() : floats({output[1]}, Tag::x);
  const dnnl::convolution_forward::desc description(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, floats(input, Tag::any),
      floats(weight_sizes(form), Tag::any), bias, floats(output, Tag::any), pair(window.stride),
      {window.dilation[0] - 1, window.dilation[1] - 1}, pair(window.pad_begin), pair(window.pad_end));
  return {description, own_scratch(), processor()};
}

}  // namespace

class DirectConvolution::Plan {
 public:
  Plan(const Form& form, const Shape& input, const Shape& output)
      : input_(floats(input, Tag::nchw)),
        output_(floats(output, Tag::nchw)),
        description_(describe(form, input, output)),
        convolution_(description_),
        before_(input_, description_.src_desc()),
        behind_(description_.dst_desc(), output_) {
    memory plain = view(floats(weight_sizes(form), form.groups == 1 ? Tag::oihw : Tag::goihw), form.weights.data());
    memory packed = in_buffer(description_.weights_desc(), weights_);
    dnnl::stream stream(processor());
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
  }

  void run(const Form& form, const Tensor& input, Tensor& output) const {
    thread_local Memory input_buffer, output_buffer, scratch;  // kept: fresh memory costs more than the work in it
    dnnl::stream stream(processor());
    const memory given = view(input_, input.data.data()), wanted = view(output_, output.data.data());
    memory source = given, target = wanted;
    if (before_.needed()) {
      source = in_buffer(description_.src_desc(), input_buffer);
      before_.run(stream, given, source, scratch);
    }
    if (behind_.needed()) target = in_buffer(description_.dst_desc(), output_buffer);
    std::unordered_map<int, memory> arguments = {
        {DNNL_ARG_SRC, source},
        {DNNL_ARG_WEIGHTS, view(description_.weights_desc(), weights_.data())},
        {DNNL_ARG_DST, target},
        {DNNL_ARG_SCRATCHPAD, in_buffer(description_.scratchpad_desc(), scratch)}};
    if (!form.bias.empty()) arguments.emplace(DNNL_ARG_BIAS, view(description_.bias_desc(), form.bias.data()));
    convolution_.execute(stream, arguments);
    if (behind_.needed()) behind_.run(stream, target, wanted, scratch);
  }

 private:
  memory::desc input_, output_;
  dnnl::convolution_forward::primitive_desc description_;
  dnnl::convolution_forward convolution_;
  Reorder before_, behind_;
  Memory weights_;
};

DirectConvolution::DirectConvolution() = default;
DirectConvolution::~DirectConvolution() = default;

void DirectConvolution::run(const Form& form, const Tensor& input, Tensor& output) const {
  const OneThread one;
  plan(form, input.shape, output.shape)->run(form, input, output);
}

std::shared_ptr<const DirectConvolution::Plan> DirectConvolution::plan(const Form& form, const Shape& input,
                                                                       const Shape& output) const {
  constexpr std::size_t kKept = 8;  // a whole slice of the batch, the rest of it, few more
  const std::lock_guard lock(planning_);
  const auto known = plans_.find(input);
  if (known != plans_.end()) return known->second;
  if (plans_.size() == kKept) plans_.clear();
  return plans_.emplace(input, std::make_shared<const Plan>(form, input, output)).first->second;
}

}  // namespace tellegen::models
