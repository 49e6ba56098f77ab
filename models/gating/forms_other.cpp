#include "tellegen/models/gating/form_tables.h"

// Where a kernel of the named kind is at hand, the exact forms are better; these are for exponential pairs. Left out are
// fits of softplus and ELU with exact tails and more branches whose slopes reach hundreds: use the two-stage forms.

namespace tellegen::models::gating {

namespace {

void add(std::vector<Form>& forms, const char* name, const char* sentence, const char* target, Goal goal,
         const FormErrors& errors, ThresholdGate gate) {
  forms.push_back({name, sentence, kOwnFit, activation_named(target), goal, errors, std::move(gate)});
}

ThresholdGate pair(double tau, double theta, std::vector<double> slope, std::vector<double> constant) {
  return single_threshold(Kernel::logistic, tau, theta, std::move(slope), std::move(constant));
}

}  // namespace

void add_other_forms(std::vector<Form>& forms) {
  add(forms, "mish_k2_minimax", "One pair that carries x; sharpness and threshold are fitted.", "mish", Goal::minimax,
      {0.031099031, 0.0171818916, 0.0175368055, 0.0202057141},
      pair(1.2626471901408336, -0.45454577741828195, {0, 1}, {0, 0}));
  add(forms, "hard_swish_k2_minimax", "One pair that carries x; its sharpness is fitted.", "hard_swish", Goal::minimax,
      {0.123754873, 0.0604931028, 0.0637721822, 0.0772681272}, pair(1.048648566963785, 0, {0, 1}, {0, 0}));
  add(forms, "hard_swish_k3_tails_minimax", "Two pairs around 0 with a constant between them; exact tails.",
      "hard_swish", Goal::minimax, {0.0604815624, 0.0280799114, 0.0429057721, 0.04092764},
      symmetric_three(2.419411145420413, 1.7080588637782372, 0.06245028280293968));
  add(forms, "hard_sigmoid_k2_minimax", "One pair that carries a constant; its sharpness is fitted.", "hard_sigmoid",
      Goal::minimax, {0.056050801, 0.027884053, 0.0386274573, 0.0387463391},
      pair(0.9412757611354952, 0, {0, 0}, {0, 1}));
  add(forms, "elu_k4_tails_minimax", "Three pairs; exact tails at the price of large slopes and constants.", "elu",
      Goal::minimax, {0.00865825968, 0.00416380661, 0.00607317444, 0.00542452773},
      {Kernel::logistic,
       Construction::telescoping,
       {2.5689728402762935},
       {-3.630020870938502, -1.095075054366268, -1.0855481276614558},
       {0, 0.026413675358166244, -11.73241572439862, 1},
       {-1, -0.848910226651507, 39.50836246272231, 0}});
  add(forms, "mish_k2_normal_1", "One pair that carries x; sharpness and threshold are fitted.", "mish",
      Goal::rms_normal_1, {0.0486432999, 0.0206458797, 0.0127251233, 0.0216884479},
      pair(1.3064071119152154, -0.3996217412243118, {0, 1}, {0, 0}));
  add(forms, "hard_swish_k2_normal_1", "One pair that carries x; its sharpness is fitted.", "hard_swish",
      Goal::rms_normal_1, {0.258992727, 0.104491463, 0.0255368521, 0.0877922382},
      pair(0.7864269234240053, 0, {0, 1}, {0, 0}));
  add(forms, "hard_swish_k3_tails_normal_1", "Two pairs around 0 with a constant between them; exact tails.",
      "hard_swish", Goal::rms_normal_1, {0.14309371, 0.0400485138, 0.0106834329, 0.0374671897},
      symmetric_three(1.468408245784261, 1.4600542573582413, 0.006701486493946504));
  add(forms, "hard_sigmoid_k2_normal_1", "One pair that carries a constant; its sharpness is fitted.", "hard_sigmoid",
      Goal::rms_normal_1, {0.100044666, 0.0374081099, 0.0125124437, 0.0350476095},
      pair(0.7322427964210512, 0, {0, 0}, {0, 1}));
  add(forms, "elu_k4_tails_normal_1", "Three pairs; exact tails at the price of large slopes and constants.", "elu",
      Goal::rms_normal_1, {0.0403459449, 0.0102192959, 0.00356736534, 0.00880876361},
      {Kernel::logistic,
       Construction::telescoping,
       {3.5376367387531493},
       {-3.310099082387244, -0.8408204541041226, -0.8274754658002328},
       {0, 0.11614024772575601, -2.75314949108122, 1},
       {-1, -0.6213632709030228, 15.05751798788317, 0}});
  add(forms, "softplus_k2_minimax", "One pair that carries x, and a constant without a gate; wrong tails.", "softplus",
      Goal::minimax, {0.13348452, 0.0918814766, 0.104106117, 0.0933291849},
      pair(0.294481934867432, 0, {0, 1}, {0.8266316551763324, 0.8266316551763324}));
}

}  // namespace tellegen::models::gating
