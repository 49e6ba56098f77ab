#include <span>

#include "tellegen/models/gating/form_tables.h"

namespace tellegen::models::gating {

namespace {

struct One {  // K = 2: the sharpness is free
  const char* name;
  Goal goal;
  double tau;
  FormErrors errors;
};
struct Three {  // K = 3: thresholds -theta and theta, and a constant between them
  const char* name;
  Goal goal;
  double tau, theta, constant;
  FormErrors errors;
};
struct Four {  // K = 4: thresholds -theta, 0, theta; slopes 0, s, 1 - s, 1; constants 0, c, c, 0
  const char* name;
  Goal goal;
  double tau, theta, slope, constant;
  FormErrors errors;
};

constexpr One kOne[] = {
    {"gelu_k2_normal_1",
     Goal::rms_normal_1,
     1.7119130498170851,
     {0.0193254992, 0.00801443271, 0.00684119936, 0.0100920911}},
    {"gelu_k2_normal_2",
     Goal::rms_normal_2,
     1.7555445733666417,
     {0.0153243657, 0.00687994948, 0.0079696037, 0.00914804646}},
    {"gelu_k2_uniform_8",
     Goal::rms_uniform_8,
     1.780076376199722,
     {0.0147321513, 0.00670753199, 0.00930887531, 0.00943203987}},
    {"gelu_k2_minimax", Goal::minimax, 1.772936935069659, {0.0139225788, 0.00672195336, 0.00888593931, 0.00929313005}},
};
constexpr Three kSymmetric[] = {
    {"gelu_k3_symmetric_normal_1",
     Goal::rms_normal_1,
     2.0983877260141153,
     0.5435139607971454,
     0,
     {0.00684924434, 0.00264050754, 0.00179648094, 0.00312218921}},
    {"gelu_k3_symmetric_normal_2",
     Goal::rms_normal_2,
     2.1702034756748785,
     0.5750248518278732,
     0,
     {0.0050592946, 0.00213083559, 0.00223405432, 0.00270388005}},
    {"gelu_k3_symmetric_uniform_8",
     Goal::rms_uniform_8,
     2.206915121813185,
     0.5905725176756771,
     0,
     {0.00430544144, 0.00206131333, 0.00271952038, 0.00281313827}},
    {"gelu_k3_symmetric_minimax",
     Goal::minimax,
     2.2116709773927976,
     0.5922830802306467,
     0,
     {0.0042083295, 0.00206261701, 0.00278612774, 0.00284267601}},
};
constexpr Three kTails[] = {
    {"gelu_k3_tails_normal_1",
     Goal::rms_normal_1,
     2.116892700355396,
     0.5566260927363428,
     0.00246972901794753,
     {0.0064824289, 0.00248965562, 0.00167447472, 0.00293135001}},
    {"gelu_k3_tails_normal_2",
     Goal::rms_normal_2,
     2.194000078087635,
     0.5926427999801522,
     0.004642393356377548,
     {0.00472496968, 0.00198685687, 0.00210384462, 0.00251883881}},
    {"gelu_k3_tails_uniform_8",
     Goal::rms_uniform_8,
     2.233289009959689,
     0.6104998845334713,
     0.006002822717938314,
     {0.00399648985, 0.00191889926, 0.00257888444, 0.00262531598}},
    {"gelu_k3_tails_minimax",
     Goal::minimax,
     2.242733874902025,
     0.6150706865898463,
     0.0064297948045605405,
     {0.00384402843, 0.00192278527, 0.00271844393, 0.00268111058}},
};
constexpr Four kFour[] = {
    {"gelu_k4_symmetric_normal_1",
     Goal::rms_normal_1,
     2.3755768229648755,
     0.9588284029097262,
     0.23477710276366107,
     -0.000566662419047397,
     {0.00306956072, 0.00112734617, 0.000615706755, 0.00125193823}},
    {"gelu_k4_symmetric_normal_2",
     Goal::rms_normal_2,
     2.4679201437502414,
     1.0228242970569594,
     0.22206534402622988,
     -0.001230943517308022,
     {0.00211382563, 0.00085284522, 0.000822832537, 0.00103217532}},
    {"gelu_k4_symmetric_uniform_8",
     Goal::rms_uniform_8,
     2.513096904356908,
     1.053335092342391,
     0.2159622852262919,
     -0.001684921630035619,
     {0.00174674856, 0.000817106277, 0.00104773671, 0.00108630346}},
    {"gelu_k4_symmetric_minimax",
     Goal::minimax,
     2.5300965644592264,
     1.0645617157758245,
     0.21378322952434123,
     -0.0018593407061649457,
     {0.00162376896, 0.000822153957, 0.00114827472, 0.00113305235}},
};
constexpr One kTanhOne[] = {
    {"gelu_tanh_k2_normal_1",
     Goal::rms_normal_1,
     1.71104995906353,
     {0.0197493822, 0.00817811011, 0.00688840051, 0.0102628611}},
    {"gelu_tanh_k2_normal_2",
     Goal::rms_normal_2,
     1.75528907507658,
     {0.0157402105, 0.00702848623, 0.00804072943, 0.00930638462}},
    {"gelu_tanh_k2_uniform_8",
     Goal::rms_uniform_8,
     1.7803363987803458,
     {0.0148820359, 0.00685226785, 0.00941593864, 0.00959765196}},
    {"gelu_tanh_k2_minimax",
     Goal::minimax,
     1.7744968656694562,
     {0.0142166151, 0.00686170667, 0.00906626632, 0.00947997942}},
};
constexpr Three kTanhTails[] = {
    {"gelu_tanh_k3_tails_normal_1",
     Goal::rms_normal_1,
     2.1172023045950192,
     0.5576891142501654,
     0.0025406419590507804,
     {0.00695802472, 0.00265799877, 0.00175755166, 0.00312017512}},
    {"gelu_tanh_k3_tails_normal_2",
     Goal::rms_normal_2,
     2.1985087267125003,
     0.5954066745574169,
     0.004821357647622502,
     {0.00512723907, 0.00213007466, 0.00221407091, 0.00268698246}},
    {"gelu_tanh_k3_tails_uniform_8",
     Goal::rms_uniform_8,
     2.240227151608974,
     0.6141213336382371,
     0.00625463447085421,
     {0.00436395104, 0.00205822026, 0.00272209814, 0.00280017008}},
    {"gelu_tanh_k3_tails_minimax",
     Goal::minimax,
     2.254120611821074,
     0.6206504332626387,
     0.00685645364079463,
     {0.00414181553, 0.00206606146, 0.00292908927, 0.00288538391}},
};

ThresholdGate carrying_x(double tau) { return single_threshold(Kernel::logistic, tau, 0, {0, 1}, {0, 0}); }

ThresholdGate symmetric_four(const Four& row) {
  return {Kernel::logistic,           Construction::telescoping,        {row.tau},
          {-row.theta, 0, row.theta}, {0, row.slope, 1 - row.slope, 1}, {0, row.constant, row.constant, 0}};
}

void add_one(std::vector<Form>& forms, const Activation& target, std::span<const One> rows) {
  for (const One& row : rows)
    forms.push_back({row.name, "One pair that carries x; its sharpness is fitted.", kOwnFit, target, row.goal,
                     row.errors, carrying_x(row.tau)});
}

void add_three(std::vector<Form>& forms, const Activation& target, const char* sentence, std::span<const Three> rows) {
  for (const Three& row : rows)
    forms.push_back(
        {row.name, sentence, kOwnFit, target, row.goal, row.errors, symmetric_three(row.tau, row.theta, row.constant)});
}

/// All nine numbers are free: better inside the range, with wrong slopes at infinity.
void add_free(std::vector<Form>& forms, const Activation& target) {
  const char* sentence =
      "Two pairs with everything free; the slopes at infinity are wrong, so inputs must stay in the range.";
  forms.push_back({"gelu_k3_free_normal_1",
                   sentence,
                   kOwnFit,
                   target,
                   Goal::rms_normal_1,
                   {0.107090165, 0.0448556701, 0.000270603662, 0.00660593231},
                   {Kernel::logistic,
                    Construction::telescoping,
                    {1.7457052443546262},
                    {-0.5358373206850296, 0.5358373284363558},
                    {0.025714302220210768, 0.5000000035957088, 0.9742856975155698},
                    {0.09863427520525724, -0.12698302142854262, 0.0986342762346097}}});
  forms.push_back({"gelu_k3_free_minimax",
                   sentence,
                   kOwnFit,
                   target,
                   Goal::minimax,
                   {0.00227677694, 0.00154291607, 0.00160978434, 0.00161388615},
                   {Kernel::logistic,
                    Construction::telescoping,
                    {2.109982304694631},
                    {-0.5848001833669633, 0.5847402697221551},
                    {0.001468846447596135, 0.49997741235845683, 0.9985322241792864},
                    {0.009474695827508543, -0.0036346993594756124, 0.009469991048187472}}});
}

}  // namespace

void add_gelu_forms(std::vector<Form>& forms) {
  const Activation erf{ActivationKind::gelu_erf}, tanh{ActivationKind::gelu_tanh};
  forms.push_back({"gelu_k2_1.702",
                   "One pair that carries x, with the sharpness that fits the gate best.",
                   "D. Hendrycks, K. Gimpel, arXiv 1606.08415 (1.702)",
                   erf,
                   Goal::minimax_of_gate,
                   {0.020334872, 0.00840218263, 0.00690724524, 0.0105539383},
                   carrying_x(1.702)});
  add_one(forms, erf, kOne);
  add_three(forms, erf, "Two pairs around 0, no constants.", kSymmetric);
  add_three(forms, erf, "Two pairs around 0 with a constant between them; exact tails.", kTails);
  for (const Four& row : kFour)
    forms.push_back({row.name, "Three pairs, symmetric around 0; exact tails.", kOwnFit, erf, row.goal, row.errors,
                     symmetric_four(row)});
  add_free(forms, erf);
  add_one(forms, tanh, kTanhOne);
  add_three(forms, tanh, "Two pairs around 0 with a constant between them; exact tails.", kTanhTails);
}

}  // namespace tellegen::models::gating
