#include <cmath>

#include "tellegen/models/gating/form_tables.h"

// tanh(x) sech(x) is flat on both sides, so K = 2 with exact tails is the zero function and K >= 3 is needed. Without a
// limit on slopes the telescoping fits degenerate (thresholds merge, slopes grow without end), hence the limit of 4.

namespace tellegen::models::gating {

namespace {

void add(std::vector<Form>& forms, const char* name, const char* sentence, Goal goal, const FormErrors& errors,
         ThresholdGate gate) {
  forms.push_back({name, sentence, kOwnFit, {ActivationKind::tanh_sech}, goal, errors, std::move(gate)});
}

/// A sinh(tau x / 2) / (cosh(3 tau x / 2) + b cosh(tau x / 2)): four legs that carry 0, -A/b, A/b, 0.
ThresholdGate four_legs(double amplitude, double b, double tau) {
  const double theta = -std::log(b) / tau, c = amplitude / b;
  return {Kernel::logistic, Construction::normalised, {tau}, {theta, 0, -theta}, {0, 0, 0, 0}, {0, -c, c, 0}};
}

/// 2 c b sinh(tau x) / (2 cosh(2 tau x) + 2 b cosh(tau x) + w): five legs that carry 0, -c, 0, c, 0.
ThresholdGate five_legs(double c, double b, double w, double tau) {
  const double outer = -std::log(b) / tau, inner = -std::log(w / b) / tau;
  return {Kernel::logistic, Construction::normalised, {tau}, {outer, inner, -inner, -outer},
          {0, 0, 0, 0, 0},  {0, -c, 0, c, 0}};
}

void add_pairs(std::vector<Form>& forms) {
  add(forms, "memglu_k3_telescoping_minimax", "Two pairs of equal sharpness, the middle carries x; slope at most 4.",
      Goal::minimax, {0.0206931917, 0.0122639964, 0.0146188395, 0.0148208218},
      {Kernel::logistic,
       Construction::telescoping,
       {1.6598451005125625},
       {-0.28106252256190967, 0.28106252256190967},
       {0, 3.9999999998508704, 0},
       {0, 0, 0}});
  add(forms, "memglu_k5_telescoping_minimax", "Four pairs of equal sharpness; slopes and constants at most 4.",
      Goal::minimax, {0.00473871674, 0.00314686861, 0.00335079836, 0.00335835945},
      {Kernel::logistic,
       Construction::telescoping,
       {1.6386810354295047},
       {-1.216799883790186, -0.700814788724159, 0.700814788724159, 1.216799883790186},
       {0, -0.36674898685281077, 3.9999999999769216, -0.36674898685281077, 0},
       {0, 3.989351921149426, 0, -3.989351921149426, 0}});
  add(forms, "memglu_k3_unequal_minimax",
      "Two pairs of unequal sharpness at one threshold: a (tanh(p x / 2) - tanh(q x / 2)).", Goal::minimax,
      {0.0026345294, 0.00169470815, 0.00186362747, 0.00187433413},
      {Kernel::logistic,
       Construction::unequal,
       {1.0893572471567463, 2.5971504536536694},
       {0, 0},
       {0, 0, 0},
       {0, -2.691573817302138, 0}});
  add(forms, "memglu_k3_telescoping_normal_1", "Two pairs of equal sharpness, the middle carries x; slope at most 4.",
      Goal::rms_normal_1, {0.0335233543, 0.0162626553, 0.00910960939, 0.0169014638},
      {Kernel::logistic,
       Construction::telescoping,
       {1.7362100731914063},
       {-0.2818715157399667, 0.2818715157399667},
       {0, 4.000000000004476, 0},
       {0, 0, 0}});
  add(forms, "memglu_k5_telescoping_normal_1", "Four pairs of equal sharpness; slopes and constants at most 4.",
      Goal::rms_normal_1, {0.0279484051, 0.0121249496, 0.000773841205, 0.00634394914},
      {Kernel::logistic,
       Construction::telescoping,
       {1.9506688481928922},
       {-4.298271574415018, -0.20735805227117013, 0.20735805227117013, 4.298271574415018},
       {0, -0.06348841875699804, 4.000000000000101, -0.06348841875699804, 0},
       {0, -0.2659829454611579, 0, 0.2659829454611579, 0}});
  add(forms, "memglu_k3_unequal_normal_1",
      "Two pairs of unequal sharpness at one threshold: a (tanh(p x / 2) - tanh(q x / 2)).", Goal::rms_normal_1,
      {0.00627632036, 0.00319604525, 0.00100051321, 0.00261869854},
      {Kernel::logistic,
       Construction::unequal,
       {1.134344408002311, 2.5030256060783156},
       {0, 0},
       {0, 0, 0},
       {0, -2.9392972615490955, 0}});
}

void add_legs(std::vector<Form>& forms) {
  const char* three = "Three legs on one tail, the middle carries x.";
  add(forms, "memglu_k3_normalised_minimax", three, Goal::minimax,
      {0.00429703075, 0.00280694972, 0.00303981621, 0.00305158092},
      three_legs(1.0691368324624766, 0.044689683932168114, 1.394460441714239));
  add(forms, "memglu_k3_normalised_normal_1", three, Goal::rms_normal_1,
      {0.00959031166, 0.00491117118, 0.00138318453, 0.00391266409},
      three_legs(1.2431134610094277, 0.2339675048700795, 1.469645706087766));
  const char* four = "Four legs on one tail that carry constants.";
  add(forms, "memglu_k4_normalised_minimax", four, Goal::minimax,
      {0.00278869941, 0.0017968135, 0.0019727307, 0.00198360666},
      four_legs(2.791574148890864, 0.510329771071693, 1.0987272858037183));
  add(forms, "memglu_k4_normalised_normal_1", four, Goal::rms_normal_1,
      {0.00654004008, 0.0033319787, 0.00102685999, 0.00272297736},
      four_legs(3.038579392177605, 0.727915101904355, 1.1439120864728154));
  add(forms, "memglu_k5_normalised_2_minimax", "Five legs on one tail that carry constants of at most 2.",
      Goal::minimax, {0.00252992564, 0.00163243269, 0.00178970443, 0.00179943657},
      five_legs(1.999999997771644, 1.3553783694735237, 1.1162391006135959, 1.0897922288177002));
  add(forms, "memglu_k5_normalised_4_minimax", "Five legs on one tail that carry constants of at most 4.",
      Goal::minimax, {0.00113874049, 0.000740677307, 0.000805601508, 0.00080963648},
      five_legs(3.99945220815131, 0.5757773802202033, 1.613152045032753, 1.0410123112419831));
}

}  // namespace

ThresholdGate three_legs(double amplitude, double q, double tau) {
  const double theta = std::log(2 * q) / tau;
  return {Kernel::logistic, Construction::normalised, {tau}, {-theta, theta}, {0, amplitude / q, 0}, {0, 0, 0}};
}

void add_closed_tail_forms(std::vector<Form>& forms) {
  add_pairs(forms);
  add_legs(forms);
}

}  // namespace tellegen::models::gating
