#include "tellegen/models/onnx/graph_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

#include "tellegen/base/error.h"

namespace tellegen::models::onnx {

namespace {

using Producers = std::unordered_map<std::string, std::size_t>;

Producers find_producers(const Graph& graph, const std::filesystem::path& file) {
  Producers producers;
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    for (const std::string& output : graph.nodes[index].outputs) {
      if (output.empty()) continue;
      const bool given = output == graph.input || graph.constants.contains(output);
      if (given || !producers.emplace(output, index).second)
        throw InputError({file.string()}, "node '" + graph.nodes[index].name + "' (" + graph.nodes[index].op_type +
                                              ") makes '" + output +
                                              "', which is made elsewhere already. Export the model again.");
    }
  }
  return producers;
}

/// For each node the nodes it reads from.
std::vector<std::vector<std::size_t>> find_sources(const Graph& graph, const Producers& producers,
                                                   const std::filesystem::path& file, std::vector<bool>& needed) {
  std::vector<std::vector<std::size_t>> sources(graph.nodes.size());
  std::vector<std::size_t> open;
  const auto need = [&](std::size_t index) {
    if (!needed[index]) open.push_back(index);
    needed[index] = true;
  };
  if (const auto last = producers.find(graph.output); last != producers.end()) need(last->second);
  while (!open.empty()) {
    const std::size_t index = open.back();
    open.pop_back();
    const GraphNode& node = graph.nodes[index];
    std::vector<std::string> read = node.inputs;
    read.insert(read.end(), node.captured.begin(), node.captured.end());
    for (const std::string& input : read) {
      if (input.empty() || input == graph.input || graph.constants.contains(input)) continue;
      const auto producer = producers.find(input);
      if (producer == producers.end())
        throw InputError({file.string()}, "node '" + node.name + "' (" + node.op_type + ") reads '" + input +
                                              "', which is no initialiser, no input and no node's output. The file "
                                              "lacks it: export the model again.");
      sources[index].push_back(producer->second);
      need(producer->second);
    }
  }
  return sources;
}

/// Walking back from a node that never became ready must come round to a node that was passed already.
[[noreturn]] void report_cycle(const Graph& graph, const std::vector<std::vector<std::size_t>>& sources,
                               const std::vector<bool>& done, std::size_t start, const std::filesystem::path& file) {
  std::vector<std::size_t> path{start};
  for (;;) {
    const auto& before = sources[path.back()];
    const std::size_t next = *std::find_if(before.begin(), before.end(), [&](std::size_t node) { return !done[node]; });
    const auto passed = std::find(path.begin(), path.end(), next);
    if (passed == path.end()) {
      path.push_back(next);
      continue;
    }
    std::string text = "'" + graph.nodes[next].name + "'";
    for (auto node = path.end(); node != passed;) text += " -> '" + graph.nodes[*--node].name + "'";
    throw InputError({file.string()}, "the graph has a cycle: " + text + ". A network must not read its own output.");
  }
}

}  // namespace

std::vector<std::size_t> needed_nodes(const Graph& graph, const std::filesystem::path& file) {
  const Producers producers = find_producers(graph, file);
  if (graph.output != graph.input && !producers.contains(graph.output))
    throw InputError({file.string()}, "the output '" + graph.output + "' is no node's output. Export the model again.");
  std::vector<bool> needed(graph.nodes.size(), false), done(graph.nodes.size(), false);
  const auto sources = find_sources(graph, producers, file, needed);
  std::vector<std::size_t> waiting(graph.nodes.size());
  std::vector<std::vector<std::size_t>> readers(graph.nodes.size());
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>>
      ready;  // the first in the file comes first
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    waiting[index] = sources[index].size();
    for (const std::size_t source : sources[index]) readers[source].push_back(index);
    if (needed[index] && waiting[index] == 0) ready.push(index);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t index = ready.top();
    ready.pop();
    order.push_back(index);
    done[index] = true;
    for (const std::size_t reader : readers[index])
      if (--waiting[reader] == 0) ready.push(reader);
  }
  for (std::size_t index = 0; index < graph.nodes.size(); ++index)
    if (needed[index] && !done[index]) report_cycle(graph, sources, done, index, file);
  return order;
}

}  // namespace tellegen::models::onnx
