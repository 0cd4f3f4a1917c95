// SPDX-License-Identifier: GPL-3.0-or-later
// Who was seen doing what a verdict says, in a few words for lists and reports.
#pragma once

#include <string>

#include "verify/verdict.h"

namespace ridge::verify {

/// " [block (3,0,0), thread (232,0,0), 2 times]"; empty where it is not known.
std::string witness_of(const Finding& finding);

/// The same of what decided the verdict; of wrong values: who stored the first one.
std::string witness_of(const Verdict& verdict);

}  // namespace ridge::verify
