// SPDX-License-Identifier: GPL-3.0-or-later
// The file behind the editor: opening, saving, other programs that change it, and text that must not be lost.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <optional>

#include "editor/code_editor.h"
#include "shell/banner.h"

namespace ridge::desktop {

class SourceFile : public QObject {
  Q_OBJECT

 public:
  SourceFile(CodeEditor* editor, BannerArea* banners, QWidget* window);

  bool open(const QString& file);  ///< asks about unsaved text; refusals are banners
  bool save();
  bool saveAs();
  bool saveTo(const QString& file);
  void reload();
  void readAs(Charset charset);
  void becomeUtf8();
  void newText(const QByteArray& text, const QString& name);
  /// True when nothing would be lost, or the user says so.
  bool mayLeave();
  QString file() const { return editor_->document().file; }
  QString displayName() const;
  QString encodingText() const;
  /// Lets tests and the demo answer instead of a box: true leaves the text behind.
  void setAnswer(std::optional<bool> answer) { answer_ = answer; }

 signals:
  void opened();
  void changed();  ///< name, encoding or modified state

 private:
  void take(Document document);
  void noteCharset();
  void changedOutside();
  void watch();
  void refuse(const Error& error, const QByteArray& bytes);

  CodeEditor* editor_;
  BannerArea* banners_;
  QWidget* window_;
  QFileSystemWatcher watcher_;
  std::optional<QByteArray> onDisk_;  ///< as last read or written by us; empty: this text came from elsewhere
  std::optional<bool> answer_;
};

}  // namespace ridge::desktop
