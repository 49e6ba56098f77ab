// tellegen_bench            Google Benchmark, with its usual options
// tellegen_bench --ratios   the table of goals; exit code 1 where one is missed

#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "jobs.h"
#include "ratios.h"
#include "tellegen/base/blas.h"
#include "tellegen/base/philox_kernels.h"
#include "tellegen/base/random.h"

namespace {

using tellegen::VectorUnit;
using tellegen::bench::Job;

void normals(benchmark::State& state) {
  const auto unit = static_cast<VectorUnit>(state.range(0));
  if (!tellegen::is_supported(unit)) {
    state.SkipWithError("this machine lacks the vector unit");
    return;
  }
  const std::array<std::uint32_t, 2> key = {1, 2};
  std::vector<float> out(4096);
  std::uint64_t block = 0;
  for (auto _ : state) {
    tellegen::philox_kernels::normals(unit, key.data(), block, 64, out.data());
    block += 64;
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 4096);
}

void samples(benchmark::State& state, Job& job, int threads) {
  for (auto _ : state) job.run(threads);
  state.SetItemsProcessed(state.iterations() * job.shape().batch);
}

void product(benchmark::State& state, Job& job) {
  for (auto _ : state) job.run_product();
  state.SetItemsProcessed(state.iterations() * job.shape().batch);
}

void run_google_benchmarks(int argc, char** argv) {
  Job wide({64, 1152, 256}, {});
  Job square({1000, 512, 512}, {});
  benchmark::RegisterBenchmark("normals/unit", normals)->DenseRange(0, 2);
  benchmark::RegisterBenchmark("sgemm/1152x256", [&](auto& state) { product(state, wide); });
  benchmark::RegisterBenchmark("noisy_8_bit/1152x256", [&](auto& state) { samples(state, wide, 1); });
  benchmark::RegisterBenchmark("sgemm/512x512", [&](auto& state) { product(state, square); });
  benchmark::RegisterBenchmark("noisy_8_bit/512x512", [&](auto& state) { samples(state, square, 1); });
  benchmark::RegisterBenchmark("noisy_8_bit/512x512/two_threads", [&](auto& state) {
    samples(state, square, 2);
  })->UseRealTime();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace

int main(int argc, char** argv) {
  tellegen::use_single_threaded_blas();
  if (argc > 1 && std::string_view(argv[1]) == "--ratios") {
    const tellegen::bench::Ratios ratios = tellegen::bench::measure_ratios(50);
    std::fputs(ratios.table.c_str(), stdout);
    return ratios.met ? 0 : 1;
  }
  run_google_benchmarks(argc, argv);
  return 0;
}
