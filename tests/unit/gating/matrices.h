#pragma once
// Stored matrices and vectors as Eigen has them.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <string>

#include "vectors.h"

namespace tellegen::models::gating::test {

inline Eigen::VectorXd vector(const nlohmann::json& values) {
  const std::vector<double> v = numbers(values);
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// A list of rows.
inline Eigen::MatrixXd matrix(const nlohmann::json& rows) {
  Eigen::MatrixXd m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.at(0).size()));
  for (Eigen::Index row = 0; row < m.rows(); ++row)
    m.row(row) = vector(rows[static_cast<std::size_t>(row)]).transpose();
  return m;
}

inline void expect_near(const Eigen::MatrixXd& got, const Eigen::MatrixXd& want, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(got.rows(), want.rows()) << what;
  ASSERT_EQ(got.cols(), want.cols()) << what;
  EXPECT_LE((got - want).cwiseAbs().maxCoeff(), tolerance) << what;
}

}  // namespace tellegen::models::gating::test
