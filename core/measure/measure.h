// SPDX-License-Identifier: GPL-3.0-or-later
// Taking the times of a launch sequence: warm-up, cold samples, warm samples, and what the host sees.
#pragma once

#include <atomic>

#include "base/result.h"
#include "device/device.h"
#include "measure/timing.h"

namespace ridge::measure {

/// Sampling goes on until the time has settled, or a cap is reached. With n samples, median m and quartiles
/// Q1 and Q3 it has settled when n >= min_samples and one of these holds:
///  - the median is known well enough: its standard error, 0.93 (Q3 - Q1) / sqrt(n), is at most `precision` x
///  m
///    (0.93 / sqrt(n) holds for a normal distribution of standard deviation (Q3 - Q1) / 1.35);
///  - the noise is known well enough: n >= 64, and (Q3 - Q1) / m changed by less than 5 % since half of the
///  samples. The
///    noise is then the kernel's own, and more samples only cost time.
struct Options {
  device::Flush flush = device::Flush::read;  ///< of the cold samples; none: take no cold time
  int min_samples = 10;
  int max_samples = 200;
  double precision = 0.005;
  double max_seconds = 2;          ///< for each of cold and warm; ends even before min_samples
  double warm_up_seconds = 0.05;   ///< clocks rise and code is loaded in this time
  double pause_seconds = 0.05;     ///< after a wholly throttled batch; doubles up to ten times this
  double time_limit_seconds = 10;  ///< of one execution
  const std::atomic<bool>* stop = nullptr;
};

/// Throttled samples are dropped and counted; where too few others remain they are kept, and the note says
/// so. A number that could not be taken is absent, and the note says why. An Error when none could be taken:
/// of the device, or `cancelled` after a stop.
Result<Timing> measure(device::Stopwatch& stopwatch, device::Module& module, const device::Sequence& sequence,
                       const Options& options = {});

}  // namespace ridge::measure
