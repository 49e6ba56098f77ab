#pragma once
// Keeps oneDNN in the calling thread.

namespace tellegen::models {

/// oneDNN divides its work among OpenMP's threads. Ours are oneTBB's, above it: while an object lives, OpenMP has one for
/// the calling thread, so that nothing is started below and results do not depend on the machine's number of threads.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace tellegen::models
