// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: the HTML report, one page that needs nothing but itself.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/run.h"

namespace ridge::session {

/// A run and the number that names it in charts and tables.
struct Numbered {
  const Run* run = nullptr;
  std::size_t number = 0;  ///< from 1
  std::size_t series = 0;  ///< of its kernel and device among those of its problem: the colour
};

std::string report_html(const std::vector<Run>& runs, const std::string& title);

// Charts, as inline SVG. Colours come from the page's style sheet.
std::string timing_chart(std::span<const Numbered> runs);
std::string roofline_chart(std::span<const Numbered> runs);
std::string sol_chart(std::span<const Numbered> runs);

/// Sets the series of each run.
void number_series(std::span<Numbered> runs);
/// The roofs that any of the runs was measured against, each once.
std::vector<hardware::Ceiling> ceilings_of(std::span<const Numbered> runs);
/// True for a run of a device without a clock: it has no time, by nature and not by failure.
bool is_emulated(const Run& run);
std::string place_of(const Run& run);  ///< "workload · kernel"

// Text for people: the locale has no say.
std::string escaped(std::string_view text);                  ///< for HTML and SVG
std::string figure(double value);                            ///< four significant digits
std::string time_text(std::optional<double> us);             ///< "0.001667 ns", "12.5 µs", "—"
std::string percent_text(std::optional<double> percent);     ///< "50.58 %", "—"
std::string rate_text(double value, std::string_view unit);  ///< "66.9 TFLOP/s"

}  // namespace ridge::session
