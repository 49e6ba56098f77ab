#pragma once
// Results appear all at once or not at all.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tellegen::report {

/// Files are written to a temporary folder beside `folder`, in it where it exists, and moved into it by commit(); an exception on the way
/// leaves nothing. Files of the same name from an earlier run are replaced, others are left alone.
class OutputFolder {
 public:
  /// Makes the temporary folder. Throws InputError where that is not possible.
  explicit OutputFolder(const std::filesystem::path& folder);
  ~OutputFolder();  ///< removes what was not committed
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Where to write the file that will be `name` in the folder.
  std::filesystem::path staged(const std::string& name) const { return stage_ / name; }
  /// Calls `writer` with that place. What it throws as InputError names the file in the folder, not the temporary one.
  void write(const std::string& name, const std::function<void(const std::filesystem::path&)>& writer) const;
  /// The same with a text for the whole file.
  void write_text(const std::string& name, const std::string& text) const;
  /// All files or none: where one cannot be moved, earlier results are put back and InputError is thrown.
  void commit();

 private:
  std::filesystem::path folder_, stage_;
};

/// Throws InputError where results of these `names` could not be written into `folder`: asked before a long run, not
/// after it.
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names = {});

}  // namespace tellegen::report
