#include "tellegen/circuits/crossbar/port_network.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/aligned_memory.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"

namespace tellegen::circuits {

PortNetwork::PortNetwork(const Wires& wires, std::vector<Port> ports, std::vector<double> between_S)
    : rows_(wires.rows),
      columns_(wires.columns),
      grounded_(static_cast<std::size_t>(wires.rows)),
      ports_(std::move(ports)),
      between_S_(std::move(between_S)) {
  TELLEGEN_ASSERT(between_S_.size() == ports_.size() * ports_.size());
  for (std::int64_t i = 0; i < rows_; ++i)
    grounded_[static_cast<std::size_t>(i)] = wires.state(i) == RowState::grounded;
}

bool PortNetwork::is_input(const Port& port) const {
  return port.line == Line::row && !grounded_[static_cast<std::size_t>(port.index)];
}

std::vector<double> PortNetwork::transfer() const {
  std::vector<double> out(static_cast<std::size_t>(columns_ * rows_));
  for (std::size_t q = 0; q < ports_.size(); ++q) {
    for (std::size_t p = q + 1; p < ports_.size(); ++p) {
      if (ports_[p].line == ports_[q].line) continue;
      const Port& row = ports_[q].line == Line::row ? ports_[q] : ports_[p];
      const Port& column = ports_[q].line == Line::row ? ports_[p] : ports_[q];
      if (is_input(row)) out[static_cast<std::size_t>(column.index * rows_ + row.index)] += between(p, q);
    }
  }
  return out;
}

std::vector<double> PortNetwork::admittance(Line line, std::int64_t count) const {
  std::vector<double> out(static_cast<std::size_t>(count * count));
  const auto entry = [&](const Port& a, const Port& b) -> double& {
    return out[static_cast<std::size_t>(a.index * count + b.index)];
  };
  const auto is_meant = [&](const Port& port) { return port.line == line && (line == Line::column || is_input(port)); };
  for (std::size_t q = 0; q < ports_.size(); ++q) {
    const bool meant = is_meant(ports_[q]);
    for (std::size_t p = q + 1; p < ports_.size(); ++p) {
      const Port& a = ports_[p];
      const Port& b = ports_[q];
      if (a.line == b.line && a.index == b.index) continue;  // both ends of a wire: at one voltage
      const double g_S = between(p, q);
      const bool also = is_meant(a);
      if (meant) entry(b, b) += g_S;
      if (also) entry(a, a) += g_S;
      if (meant && also) {
        entry(a, b) -= g_S;
        entry(b, a) -= g_S;
      }
    }
  }
  return out;
}

std::vector<double> PortNetwork::input_admittance() const { return admittance(Line::row, rows_); }
std::vector<double> PortNetwork::output_admittance() const { return admittance(Line::column, columns_); }

PortNetwork PortNetwork::with_floating(std::span<const std::uint8_t> floating) const {
  TELLEGEN_ASSERT(static_cast<std::int64_t>(floating.size()) == rows_);
  const std::size_t count = ports_.size();
  std::vector<std::size_t> order(count);
  for (std::size_t p = 0; p < count; ++p) order[p] = p;
  const auto kept = std::stable_partition(order.begin(), order.end(), [&](std::size_t p) {
    return ports_[p].line == Line::row && floating[static_cast<std::size_t>(ports_[p].index)] != 0;
  });
  const auto eliminated = static_cast<std::size_t>(kept - order.begin());
  const AlignedNumbers memory(front_size(static_cast<std::int64_t>(count)));
  const Front front{memory.data(), static_cast<std::int64_t>(count), padded(static_cast<std::int64_t>(count))};
  clear(front);
  const auto stride = static_cast<std::size_t>(front.stride);
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t p = q + 1; p < count; ++p) {
      front.data[q * stride + p] = between(std::max(order[p], order[q]), std::min(order[p], order[q]));
    }
  }
  eliminate(front, static_cast<std::int64_t>(eliminated));
  PortNetwork out = *this;
  out.ports_.clear();
  for (std::size_t p = eliminated; p < count; ++p) out.ports_.push_back(ports_[order[p]]);
  const std::size_t left = count - eliminated;
  out.between_S_.assign(left * left, 0.0);
  for (std::size_t q = 0; q < left; ++q) {
    for (std::size_t p = q + 1; p < left; ++p) {
      out.between_S_[q * left + p] = front.data[(eliminated + q) * stride + eliminated + p];
    }
  }
  return out;
}

}  // namespace tellegen::circuits
