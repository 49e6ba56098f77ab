#include "tellegen/sim/report/number.h"

#include "tellegen/base/error.h"

namespace tellegen::report {

void Numbers::add(Number number) {
  const bool is_new = index_.emplace(number.id, numbers_.size()).second;
  TELLEGEN_ASSERT(is_new);
  numbers_.push_back(std::move(number));
}

const Number* Numbers::find(const std::string& id) const {
  const auto found = index_.find(id);
  return found == index_.end() ? nullptr : &numbers_[found->second];
}

const Number& Numbers::at(const std::string& id) const {
  const Number* number = find(id);
  TELLEGEN_ASSERT(number != nullptr);
  return *number;
}

NumberInput Numbers::refer(const std::string& name, const std::string& id) const {
  const Number& number = at(id);
  return {name, number.value, number.unit, id};
}

std::vector<std::string> Numbers::ids() const {
  std::vector<std::string> ids;
  ids.reserve(numbers_.size());
  for (const Number& number : numbers_) ids.push_back(number.id);
  return ids;
}

}  // namespace tellegen::report
