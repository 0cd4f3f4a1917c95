// SPDX-License-Identifier: GPL-3.0-or-later
// The text that a new kernel starts with.
#pragma once

#include <QByteArray>

#include "problem/problem.h"

namespace ridge::desktop {

/// Directives and a `__global__` function whose parameters are the problem's tensors, scalars and axes by
/// name, so that no `args:` is needed; a thread for each element of the first output.
QByteArray newKernel(const problem::Problem& problem);

}  // namespace ridge::desktop
