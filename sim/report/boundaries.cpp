#include "tellegen/sim/report/boundaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/report/columns.h"

namespace tellegen::report {
namespace {

using mapping::Boundary;
using mapping::Edge;

std::string name_of(Boundary boundary) {
  for (const auto& [value, name] : enum_names(boundary)) {
    if (value == boundary) return name;
  }
  return "";
}

/// Edges of one line, in order of appearance: those that are taken the same way, and where digital, for the same reason.
struct Kind {
  Boundary taken;
  std::string unit;  ///< circuits between converters
  std::string why;   ///< of digital ones
  std::vector<std::string> readers;
};

std::string id_of(const std::string& reader, const std::vector<ReportLayer>& layers) {
  const auto layer = std::find_if(layers.begin(), layers.end(), [&](const ReportLayer& l) { return l.name == reader; });
  return layer == layers.end() ? reader : layer->id;
}

std::vector<Kind> kinds_of(std::span<const Edge> edges, const std::vector<ReportLayer>& layers) {
  std::vector<Kind> kinds;
  for (const Edge& edge : edges) {
    const bool as_asked = edge.taken == edge.asked && edge.taken != Boundary::digital;
    const std::string why = as_asked || !edge.unit.empty() ? "" : edge.why;
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) {
      return k.taken == edge.taken && k.unit == edge.unit && k.why == why;
    });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), Kind{edge.taken, edge.unit, why, {}});
    kind->readers.push_back(id_of(edge.reader, layers));
  }
  return kinds;
}

std::string list(const std::vector<std::string>& readers) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min(readers.size(), kShown);
  const auto end = readers.begin() + static_cast<std::ptrdiff_t>(shown);
  return fmt::format("{}{}", fmt::join(readers.begin(), end, ", "),
                     readers.size() > shown ? fmt::format(" and {} more", readers.size() - shown) : "");
}

std::string line(const Kind& kind) {
  const std::string count = fmt::format("{} activation{}", kind.readers.size(), kind.readers.size() == 1 ? "" : "s");
  if (!kind.unit.empty())
    return fmt::format("boundary   {} by circuits between converters, {} each, in front of {}\n", count, kind.unit,
                       list(kind.readers));
  switch (kind.taken) {
    case Boundary::tg_after_dac:
      return fmt::format("boundary   {} by threshold gates behind DACs, in front of {}{}\n", count, list(kind.readers),
                         kind.why.empty() ? "" : ": " + kind.why);
    case Boundary::nonlinear_adc:
      return fmt::format("boundary   {} by the ADCs of the product before, in front of {}{}\n", count,
                         list(kind.readers), kind.why.empty() ? "" : ": " + kind.why);
    case Boundary::analog:
      return fmt::format("boundary   {} by threshold gates straight from amplifiers, in front of {}\n", count,
                         list(kind.readers));
    case Boundary::digital:
      break;
  }
  return fmt::format("boundary   {} digital, in front of {}: {}\n", count, list(kind.readers), kind.why);
}

}  // namespace

std::string boundary_lines(std::span<const Edge> edges, const std::vector<ReportLayer>& layers) {
  const bool digital = std::all_of(edges.begin(), edges.end(), [](const Edge& edge) {
    return edge.asked == Boundary::digital && edge.unit.empty();
  });
  if (digital) return "";
  std::string text;
  for (const Kind& kind : kinds_of(edges, layers)) text += line(kind);
  return text;
}

std::vector<std::pair<std::string, std::string>> edge_fields(const Edge& edge) {
  return {{"activation", edge.activation},
          {"function", edge.function},
          {"reader", edge.reader},
          {"asked", name_of(edge.asked)},
          {"taken", name_of(edge.taken)},
          {"unit", edge.unit},
          {"why", edge.why}};
}

std::string boundary_table(std::span<const Edge> edges) {
  using Align = Table::Align;
  Table table({{"activation", Align::left},
               {"function", Align::left},
               {"in front of", Align::left},
               {"asked", Align::left},
               {"taken", Align::left},
               {"circuits between converters", Align::left},
               {"why", Align::left}});
  for (const Edge& edge : edges) {
    std::vector<std::string> cells;
    for (auto& [name, text] : edge_fields(edge)) cells.push_back(std::move(text));
    table.row(std::move(cells));
  }
  return table.text();
}

std::string boundary_csv(std::span<const Edge> edges) {
  std::string text;
  for (const auto& [name, value] : edge_fields({})) text += (text.empty() ? "" : ",") + name;
  text += "\n";
  for (const Edge& edge : edges) {
    std::string row;
    for (const auto& [name, value] : edge_fields(edge)) row += (name == "activation" ? "" : ",") + csv_field(value);
    text += row + "\n";
  }
  return text;
}

void write_boundaries(Hdf5Writer& file, std::span<const Edge> edges) {
  ColumnWriter columns(file, "boundaries");
  const auto names = edge_fields({});
  for (std::size_t f = 0; f < names.size(); ++f) {
    columns.text(names[f].first, column(edges, [f](const Edge& edge) { return edge_fields(edge)[f].second; }));
  }
}

std::vector<Edge> read_boundaries(const Hdf5Reader& file, const std::filesystem::path& path) {
  if (!file.has("boundaries/activation")) return {};
  const auto damaged = [&](const std::string& reason) {
    return InputError({path.string()}, "the file is damaged: " + reason + ". Run the experiment again.");
  };
  std::vector<Edge> edges(file.strings("boundaries/activation").size());
  const auto texts = [&](const std::string& name) {
    std::vector<std::string> read = file.strings("boundaries/" + name);
    if (read.size() != edges.size()) throw damaged("its columns of boundaries differ in length");
    return read;
  };
  const auto boundary = [&](const std::string& text) {
    for (const auto& [value, name] : enum_names(Boundary{})) {
      if (text == name) return value;
    }
    throw damaged("a boundary in it is none of digital, tg_after_dac, nonlinear_adc, analog");
  };
  const std::vector<std::string> activations = texts("activation"), functions = texts("function"),
                                 readers = texts("reader"), asked = texts("asked"), taken = texts("taken"),
                                 whys = texts("why");
  // Files from before there were such circuits have no column for them.
  const std::vector<std::string> units =
      file.has("boundaries/unit") ? texts("unit") : std::vector<std::string>(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = {activations[i], functions[i], readers[i], boundary(asked[i]), boundary(taken[i]), whys[i], units[i]};
  }
  return edges;
}

}  // namespace tellegen::report
