// SPDX-License-Identifier: GPL-3.0-or-later
// Files of translations, as tests and their keeper read them.
#pragma once

#include <QString>
#include <vector>

namespace ridge::desktop {

struct Message {
  QString context, source, translation;
  bool finished = true, plural = false;
};

std::vector<Message> messagesOf(const QString& file);
/// resources/translations/STEM_LANGUAGE.ts
QString translationFile(const char* stem, const char* language);

/// The patterns of core's sentences, in the order of the source: what say(…) and phrase(…) are called with in
/// core/ and app/desktop/.
std::vector<QString> corePatterns();
/// How often a pattern has each place, `{}` being counted by its number: those of a translation must be the
/// same.
std::vector<int> placesOf(const QString& pattern);

}  // namespace ridge::desktop
