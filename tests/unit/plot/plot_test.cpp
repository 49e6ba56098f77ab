#include "tellegen/sim/report/plot/gnuplot.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "tellegen/base/error.h"

namespace tellegen::plot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

Figure figure_of(Panel panel) { return {"a figure", {std::move(panel)}}; }

TEST(GnuplotScript, PicksThePrefixOfALinearAxisAndScalesItsData) {
  const Panel panel{"p", {"age", "s", true}, {"conductance", "S"}, {{"a", {1, 100}, {25e-6, 2.5e-6}}}};
  const std::string script = gnuplot_script(figure_of(panel), "x.svg", "x.svg");
  EXPECT_THAT(script, HasSubstr("set ylabel 'conductance (uS)' noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("set xlabel 'age (s)' noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("<< EOD\n1 25\n100 2.5\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("set logscale x\n"));
  EXPECT_THAT(script, HasSubstr("unset logscale y\n"));
}

TEST(GnuplotScript, KeepsTheUnitOfAnAxisThatTakesNoPrefix) {
  const Panel panel{
      "p", {"field", "MV/cm", false, false}, {"share", "", false, false, 0.0, 1.0}, {{"a", {1e-3, 2e-3}, {0, 1}}}};
  const std::string script = gnuplot_script(figure_of(panel), "x.svg", "x.svg");
  EXPECT_THAT(script, HasSubstr("set xlabel 'field (MV/cm)' noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("set ylabel 'share' noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("set yrange [0:1]\n"));
  EXPECT_THAT(script, HasSubstr("0.001 0\n0.002 1\n"));
}

TEST(GnuplotScript, BoundsAreInTheShownUnit) {
  const Panel panel{"p", {"v", "V"}, {"i", "A", false, true, 0.0, 4e-3}, {{"a", {1}, {2e-3}}}};
  EXPECT_THAT(gnuplot_script(figure_of(panel), "x.svg", "x.svg"), HasSubstr("set yrange [0:4]\n"));
}

TEST(GnuplotScript, WhatCannotBeShownBreaksTheLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Panel panel{"p", {"x", ""}, {"y", "", true}, {{"a", {1, 2, 3}, {0, nan, 5}}}};
  EXPECT_THAT(gnuplot_script(figure_of(panel), "x.svg", "x.svg"), HasSubstr("<< EOD\n1 NaN\n2 NaN\n3 5\nEOD\n"));
}

TEST(GnuplotScript, TextCannotBecomeACommand) {
  Figure figure = figure_of({"it's\n!touch here", {"x", ""}, {"y", ""}, {{"a", {1}, {1}}}});
  figure.title = "'; system 'touch there";
  const std::string script = gnuplot_script(figure, "x.svg", "x.svg");
  EXPECT_THAT(script, HasSubstr("set title 'it''s!touch here' noenhanced\n"));
  EXPECT_THAT(script, HasSubstr("title '''; system ''touch there' noenhanced"));
}

TEST(GnuplotScript, RefusesOtherFormats) {
  try {
    require_figure_format("figure.pdf");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "'figure.pdf' is not a figure that can be drawn; allowed: a name that ends in .svg or .png.");
  }
}

/// A temporary folder, removed at the end, and the search path as it was.
class Drawing : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tellegen-plot-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  /// A program called gnuplot that takes the place of the real one.
  void stand_in(const std::string& text) const {
    fs::create_directory(folder_ / "bin");
    std::ofstream(folder_ / "bin/gnuplot") << "#!/bin/sh\n" << text;
    fs::permissions(folder_ / "bin/gnuplot", fs::perms::owner_all);
    setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
  }
  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) count += entry.is_regular_file() ? 1 : 0;
    return count;
  }
  const Figure figure_ = figure_of({"p", {"x", ""}, {"y", ""}, {{"a", {1, 2}, {1, 4}}}});
  fs::path folder_;
  std::string path_;
};

TEST_F(Drawing, SaysWhereGnuplotIsMissingAndLeavesNothing) {
  setenv("PATH", "/nonexistent", 1);
  EXPECT_EQ(draw(figure_, folder_ / "f.svg"), Drawn::gnuplot_is_missing);
  EXPECT_EQ(files(), 0u);
  EXPECT_EQ(missing_gnuplot_message("f.svg"),
            "'f.svg' was not drawn: the program gnuplot was not found. The data are written; install the package "
            "gnuplot-nox and run again for the figure.");
}

TEST_F(Drawing, RunsGnuplotOnTheScriptAndNamesTheFigureLast) {
  stand_in("cp \"$1\" \"$(sed -n \"s/^set output '\\(.*\\)'$/\\1/p\" \"$1\" | head -1)\"\n");
  EXPECT_EQ(draw(figure_, folder_ / "f.svg"), Drawn::yes);
  EXPECT_EQ(files(), 1u);
  std::ostringstream drawn;
  drawn << std::ifstream(folder_ / "f.svg").rdbuf();
  EXPECT_THAT(drawn.str(), HasSubstr("plot $panel0series0"));
}

TEST_F(Drawing, PassesOnWhatGnuplotComplainsAboutAndKeepsTheOldFigure) {
  std::ofstream(folder_ / "f.svg") << "old";
  stand_in("echo 'line 3: undefined variable' >&2\nexit 1\n");
  try {
    draw(figure_, folder_ / "f.svg");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("f.svg': line 3: undefined variable"));
  }
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(fs::file_size(folder_ / "f.svg"), 3u);
}

TEST_F(Drawing, RealGnuplotDrawsEveryStyle) {
  Panel panel{"p", {"x", "s", true}, {"y", "S"}, {}};
  for (const Style style : {Style::line, Style::dashed, Style::points, Style::line_points, Style::steps, Style::band}) {
    panel.series.push_back({"s", {1, 10, 100}, {1e-6, 2e-6, 3e-6}, {2e-6, 3e-6, 4e-6}, style});
  }
  const Figure figure{"two panels", {panel, panel}};
  if (draw(figure, folder_ / "f.svg") == Drawn::gnuplot_is_missing) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(draw(figure, folder_ / "f.png"), Drawn::yes);
  EXPECT_EQ(files(), 2u);
  EXPECT_GT(fs::file_size(folder_ / "f.svg"), 5000u);
  EXPECT_GT(fs::file_size(folder_ / "f.png"), 5000u);
}

}  // namespace
}  // namespace tellegen::plot
