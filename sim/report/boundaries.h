#pragma once
// How each activation crosses to what reads it, as lines of a table, as rows of a file, and back.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/mapping/boundary.h"
#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// One line for each kind of crossing and each reason to stay digital, the layers in front of which they are by their
/// ids; no line where nothing but digital crossings was asked for. Each line ends with a line end.
std::string boundary_lines(std::span<const mapping::Edge> edges, const std::vector<ReportLayer>& layers);

/// Aligned table with a row for each edge, and why.
std::string boundary_table(std::span<const mapping::Edge> edges);

/// One row for each edge: activation, function, reader, asked, taken, unit, why.
std::string boundary_csv(std::span<const mapping::Edge> edges);

/// Name and text of each field of an edge, in the order of the CSV.
std::vector<std::pair<std::string, std::string>> edge_fields(const mapping::Edge& edge);

/// Group 'boundaries', a column for each field.
void write_boundaries(Hdf5Writer& file, std::span<const mapping::Edge> edges);
/// No edges where the file has no such group. Throws InputError for a damaged file; `path` is for its message.
std::vector<mapping::Edge> read_boundaries(const Hdf5Reader& file, const std::filesystem::path& path);

}  // namespace tellegen::report
