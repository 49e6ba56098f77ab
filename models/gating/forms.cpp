#include "tellegen/models/gating/forms.h"

#include "tellegen/base/error.h"
#include "tellegen/models/gating/form_tables.h"

namespace tellegen::models::gating {

std::span<const Form> form_catalog() {
  static const std::vector<Form> forms = [] {
    std::vector<Form> all;
    add_exact_forms(all);
    add_gelu_forms(all);
    add_closed_tail_forms(all);
    add_other_forms(all);
    return all;
  }();
  return forms;
}

const Form& form_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Form& form : form_catalog()) {
    if (form.name == name) return form;
    known.push_back(form.name);
  }
  const std::string proposal = nearest(std::string(name), known);
  throw InputError("'" + std::string(name) + "' is not a known form; " +
                   (proposal.empty() ? "the catalogue lists them." : "did you mean '" + proposal + "'?"));
}

ThresholdGate symmetric_three(double tau, double theta, double constant) {
  return {Kernel::logistic, Construction::telescoping, {tau}, {-theta, theta}, {0, 0.5, 1}, {0, constant, 0}};
}

std::string_view name(Goal goal) {
  switch (goal) {
    case Goal::exact:
      return "exact";
    case Goal::minimax:
      return "least maximum on [-8, 8]";
    case Goal::rms_uniform_8:
      return "least rms, uniform on [-8, 8]";
    case Goal::rms_normal_1:
      return "least rms under N(0, 1)";
    case Goal::rms_normal_2:
      return "least rms under N(0, 2^2)";
    case Goal::minimax_of_gate:
      return "least maximum of the gate, not of the product";
  }
  return "";
}

}  // namespace tellegen::models::gating
