#pragma once
// A batch in slices: a whole batch of activations does not fit into a processor's cache, and fresh memory costs more than
// the work in it.

#include "tellegen/models/network.h"

namespace tellegen::models {

/// How many samples run through `network` together where nobody watches: so many that what one node reads and writes
/// stays in a second-level cache. From shapes alone, so that results depend on no machine and no number of threads.
/// 0: samples cannot be told apart, or belong together (Network::streaming).
std::int64_t slice_size(const Network& network);

/// Samples first .. first + count - 1 of a tensor with the batch in dimension 0.
Tensor samples_of(const Tensor& batch, std::int64_t first, std::int64_t count);

/// Puts the samples of `part` behind those of `whole`, which is empty at first.
void append_samples(Tensor&& part, Tensor& whole);

}  // namespace tellegen::models
