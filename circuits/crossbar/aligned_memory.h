#pragma once
// Memory for fronts: aligned to a cache line, not initialised, given back in the order last in, first out.

#include <cstdint>
#include <memory>
#include <vector>

namespace tellegen::circuits {

/// Numbers aligned to 64 bytes, not initialised.
class AlignedNumbers {
 public:
  AlignedNumbers() = default;
  explicit AlignedNumbers(std::int64_t count);
  double* data() const { return numbers_.get(); }
  std::int64_t size() const { return size_; }

 private:
  struct Free {
    void operator()(double* numbers) const;
  };
  std::unique_ptr<double, Free> numbers_;
  std::int64_t size_ = 0;
};

/// A stack of fronts. Blocks stay where they are while the stack grows, and are kept for the next use.
class FrontStack {
 public:
  /// A place on the stack, to go back to.
  struct Mark {
    std::size_t block = 0;
    std::int64_t used = 0;
  };
  double* push(std::int64_t count);
  Mark mark() const { return top_; }
  void release(const Mark& mark) { top_ = mark; }
  std::int64_t bytes() const;

 private:
  std::vector<AlignedNumbers> blocks_;
  Mark top_;
};

}  // namespace tellegen::circuits
