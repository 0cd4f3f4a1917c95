// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridge {

inline constexpr const char* kVersion = "0.1.0";
inline constexpr int kDocumentProtocol = 1;  ///< of --json documents
inline constexpr int kWorkerProtocol = 1;    ///< of the worker's JSON-RPC
inline constexpr int kSessionVersion = 1;    ///< user_version of .ridge files
inline constexpr int kMeasureProtocol = 1;   ///< how times are taken; stored with every timing

}  // namespace ridge
