// SPDX-License-Identifier: GPL-3.0-or-later
// The declarations of a CUDA source at namespace level, found without a compiler: enough to tell kernels and
// device code from what only a host compiler takes. Private to this room.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/mask.h"
#include "source/source.h"

namespace ridge::source {

enum class ItemKind { function, type, variable, alias, macro_call, other };

/// One declaration. Offsets are into the text.
struct Item {
  ItemKind kind = ItemKind::other;
  std::size_t begin = 0, end = 0;  ///< [begin, end), with its final ; or }
  std::size_t head_end = 0;        ///< where its body, initialiser or ; begins
  bool has_body = false;           ///< a function that is defined
  std::string scope;               ///< "ns::inner", "(anonymous)"
  std::string reachable_scope;     ///< the same without inline and anonymous namespaces
  bool extern_c = false;
};

/// The bodies of the macros that the text defines.
using Macros = std::map<std::string, std::string>;
Macros macros_in(const std::string& code);

/// Code as the outline sees it: comments, literals, dead branches and preprocessor lines are blanks; where a
/// brace is opened in both branches of an #if, only the first counts.
struct Structure {
  std::string code;
  std::set<int> dead_lines;  ///< 1-based: in branches that NVRTC never sees
};
Structure structure_of(const std::string& code);
std::vector<Item> outline(const std::string& structure, std::string_view text, const Macros& macros);

/// Whether words of `head` (or macros among them) say that the declaration is for the device.
struct Spaces {
  bool global = false, device = false;
};
Spaces spaces_of(std::string_view head, const Macros& macros);

/// Words that are written like a call without being a name: __launch_bounds__, alignas…
bool is_attribute_word(std::string_view word);
/// All words of a piece of code.
std::set<std::string> words_in(std::string_view code);

/// The kernel that an item declares.
Signature signature_of(const Item& item, std::string_view structure, const LineIndex& lines);
/// Name expressions of the template `kernel` from explicit launches in `code`; arguments that only a host
/// template knows give none. `reachable` is the kernel's name as a name expression writes it.
std::vector<std::string> launched_instances(const std::string& code, const std::string& name,
                                            const std::string& reachable);
/// Entries of a PTX text.
std::vector<Signature> ptx_entries(const std::string& code);

/// Why a header is blanked, or "" when NVRTC can take it. `quoted`: #include "…".
std::string host_header_reason(const std::string& header);
/// A standard or toolkit header that NVRTC gets from the toolkit's include folders.
bool is_known_device_header(const std::string& header);

}  // namespace ridge::source
