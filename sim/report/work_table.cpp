#include "tellegen/sim/report/work_table.h"

#include <vector>

#include "tellegen/base/table.h"
#include "tellegen/models/work_count.h"

namespace tellegen::report {
namespace {

using Align = Table::Align;

/// One product of two computed matrices.
struct DynamicProduct {
  std::string node, left, right;
  std::int64_t products = 0;
};

/// "32x2048x64": the shape of one sample.
std::string sample_shape(models::Shape shape) {
  if (!shape.empty() && shape.front() == -1) shape.erase(shape.begin());
  return models::to_string(shape);
}

std::vector<DynamicProduct> dynamic_products(const models::Network& network) {
  std::vector<DynamicProduct> all;
  const auto shape = [&](models::ValueId value) {
    return sample_shape(network.values.at(static_cast<std::size_t>(value)).shape);
  };
  for (const models::Node& node : network.nodes) {
    const std::int64_t products = models::dynamic_products(network, node);
    if (products > 0) all.push_back({node.name, shape(node.inputs.at(0)), shape(node.inputs.at(1)), products});
  }
  return all;
}

}  // namespace

std::string work_table(const models::Network& network, const std::string& where) {
  const models::WorkCount work = models::count_work(network);
  Table totals({{"for one input", Align::left}, {"count"}});
  totals.row({"parameters", std::to_string(work.parameters)});
  totals.row({"weights in matrices", std::to_string(work.matrix_weights)});
  totals.row({"products with weights", std::to_string(work.static_products)});
  totals.row({"products of computed values", std::to_string(work.dynamic_products)});
  for (const auto& [function, times] : work.evaluations) totals.row({function, std::to_string(times)});
  std::string text = totals.text();
  const std::vector<DynamicProduct> products = dynamic_products(network);
  if (products.empty()) return text;
  Table table({{"product of computed values", Align::left}, {"left"}, {"right"}, {"products"}, {"where", Align::left}});
  for (const DynamicProduct& product : products)
    table.row({product.node, product.left, product.right, std::to_string(product.products), where});
  return text + "\n" + table.text();
}

Json work_json(const models::Network& network, const std::string& where) {
  const models::WorkCount work = models::count_work(network);
  Json products = Json::array();
  for (const DynamicProduct& product : dynamic_products(network))
    products.push_back({{"node", product.node},
                        {"left", product.left},
                        {"right", product.right},
                        {"products", product.products},
                        {"where", where}});
  return {{"parameters", work.parameters},
          {"matrix_weights", work.matrix_weights},
          {"products_with_weights", work.static_products},
          {"products_of_computed_values", work.dynamic_products},
          {"evaluations", work.evaluations},
          {"dynamic", products}};
}

}  // namespace tellegen::report
