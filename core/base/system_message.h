// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sentence.h"

namespace ridge {

/// What the system calls an error number.
Sentence system_message(int number);

}  // namespace ridge
