#include "tellegen/circuits/front_end/softmax_rivals.h"

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/circuits/cost/cost_tables.h"

namespace tellegen::circuits {

std::vector<SoftmaxRival> digital_softmax(const std::filesystem::path& folder, Length node) {
  std::vector<SoftmaxRival> rivals;
  for (const std::string& set : activation_sets()) {
    CostConfig config;
    config.activation = set;
    rivals.push_back({set, CostModel(config, folder).activation("softmax", node)});
  }
  return rivals;
}

}  // namespace tellegen::circuits
