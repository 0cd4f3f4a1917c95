// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/system_message.h"

#include <cerrno>
#include <cstring>

namespace ridge {

Sentence system_message(int number) {
  switch (number) {
    case ENOENT:
      return say("No such file or directory");
    case EACCES:
      return say("Permission denied");
    case EISDIR:
      return say("Is a directory");
    case ENOTDIR:
      return say("Not a directory");
    case ENOSPC:
      return say("No space left on device");
    case EROFS:
      return say("Read-only file system");
    default:
      return std::strerror(number);
  }
}

}  // namespace ridge
