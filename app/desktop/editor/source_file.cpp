// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/source_file.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QTimer>

#include "shell/language.h"

namespace ridge::desktop {
namespace {

const QString kOpenKey = QStringLiteral("open"), kSaveKey = QStringLiteral("save"),
              kOutsideKey = QStringLiteral("outside"), kCharsetKey = QStringLiteral("charset");

QByteArray wholeFile(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.read(17LL << 20) : QByteArray();
}

}  // namespace

SourceFile::SourceFile(CodeEditor* editor, BannerArea* banners, QWidget* window)
    : QObject(window), editor_(editor), banners_(banners), window_(window) {
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] {
    // Editors replace files in two steps: look once the dust has settled.
    QTimer::singleShot(150, this, &SourceFile::changedOutside);
  });
  connect(editor_, &QsciScintilla::modificationChanged, this, &SourceFile::changed);
}

QString SourceFile::displayName() const {
  return file().isEmpty() ? tr("untitled") : QFileInfo(file()).fileName();
}

QString SourceFile::encodingText() const {
  const Document& document = editor_->document();
  QString text = nameOf(document.charset);
  if (document.bom) text += QStringLiteral(" ") + tr("with BOM");
  text += document.mixedEnds                               ? QStringLiteral(" · ") + tr("LF and CRLF")
          : document.typedEnds == Document::LineEnds::crlf ? QStringLiteral(" · CRLF")
                                                           : QStringLiteral(" · LF");
  return text;
}

void SourceFile::watch() {
  if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
  if (!file().isEmpty() && QFileInfo::exists(file())) watcher_.addPath(file());
}

void SourceFile::take(Document document) {
  editor_->setDocument(std::move(document));
  watch();
  noteCharset();
  emit opened();
  emit changed();
}

bool SourceFile::open(const QString& name) {
  const QString path = QDir::cleanPath(QFileInfo(name).absoluteFilePath());
  if (!mayLeave()) return false;
  auto document = readDocument(path);
  if (!document) {
    refuse(document.error(), wholeFile(path));
    return false;
  }
  banners_->lower(kOpenKey);
  banners_->lower(kOutsideKey);
  banners_->lower(kSaveKey);
  onDisk_ = wholeFile(path);
  take(std::move(*document));
  return true;
}

void SourceFile::refuse(const Error& error, const QByteArray& bytes) {
  std::vector<Banner::Button> buttons;
  if (error.code == "utf16") {
    const QString path = QString::fromStdString(error.file);
    buttons.push_back({[] { return tr("Convert to UTF-8"); },
                       [this, bytes, path] {
                         auto converted = convertedFromUtf16(bytes, path);
                         if (!converted || !mayLeave()) return;
                         banners_->lower(kOpenKey);
                         onDisk_ = bytes;
                         take(std::move(*converted));
                         editor_->setUnsaved();  // the file itself is only changed by saving
                       }});
  }
  banners_->raiseBanner(kOpenKey, Banner::Kind::error, sayingOf(error), {}, std::move(buttons));
}

void SourceFile::newText(const QByteArray& text, const QString& name) {
  auto document = documentFromBytes(text, name);
  if (!document || !mayLeave()) return;
  onDisk_.reset();
  take(std::move(*document));
}

void SourceFile::noteCharset() {
  const Charset charset = editor_->document().charset;
  if (charset == Charset::utf8) {
    banners_->lower(kCharsetKey);
    return;
  }
  std::vector<Banner::Button> buttons;
  for (const Charset other : {Charset::gb18030, Charset::windows1252})
    if (other != charset)
      buttons.push_back(
          {[other] { return tr("Read as %1").arg(nameOf(other)); }, [this, other] { readAs(other); }});
  buttons.push_back({[] { return tr("Convert to UTF-8"); }, [this] { becomeUtf8(); }});
  const auto text = [name = displayName(), charset] {
    return tr("%1 is not UTF-8; it is shown as %2. Saving keeps the bytes of the file.")
        .arg(name, nameOf(charset));
  };
  banners_->raiseBanner(kCharsetKey, Banner::Kind::note, text, {}, std::move(buttons));
}

void SourceFile::readAs(Charset charset) {
  if (file().isEmpty() || !onDisk_ || !mayLeave()) return;
  auto document = documentWithCharset(*onDisk_, file(), charset);
  if (document)
    take(std::move(*document));
  else
    refuse(document.error(), *onDisk_);
}

void SourceFile::becomeUtf8() {
  if (editor_->document().charset == Charset::raw) {  // its bytes have no letters yet
    auto document = documentWithCharset(editor_->bytes(), file(), Charset::windows1252);
    if (!document) return;
    take(std::move(*document));
  }
  editor_->setCharset(Charset::utf8);
  editor_->setUnsaved();
  banners_->lower(kCharsetKey);
  emit changed();
}

bool SourceFile::saveTo(const QString& name) {
  auto bytes = editor_->fileBytes();
  if (!bytes) {
    banners_->raiseBanner(kSaveKey, Banner::Kind::error, sayingOf(bytes.error()), {},
                          {{[] { return tr("Save as UTF-8"); },
                            [this, name] {
                              becomeUtf8();
                              saveTo(name);
                            }}});
    return false;
  }
  watcher_.removePaths(watcher_.files());
  if (const auto written = writeBytes(name, *bytes); !written) {
    watch();
    banners_->raiseBanner(kSaveKey, Banner::Kind::error, sayingOf(written.error()));
    return false;
  }
  onDisk_ = *bytes;
  banners_->lower(kSaveKey);
  banners_->lower(kOutsideKey);
  const bool renamed = name != file();
  editor_->saved(name);
  watch();
  emit changed();
  if (renamed) emit opened();
  return true;
}

bool SourceFile::save() {
  return file().isEmpty() || !onDisk_ ? saveAs() : saveTo(file());
}

bool SourceFile::saveAs() {
  const QString name = QFileDialog::getSaveFileName(window_, tr("Save the kernel"), file(),
                                                    tr("Kernels (*.cu *.cuh *.ptx);;All files (*)"));
  return !name.isEmpty() && saveTo(name);
}

void SourceFile::reload() {
  if (file().isEmpty()) return;
  if (!mayLeave()) return;
  auto document = readDocument(file());
  if (!document) {
    refuse(document.error(), wholeFile(file()));
    return;
  }
  banners_->lower(kOutsideKey);
  onDisk_ = wholeFile(file());
  int line = 0, column = 0;
  editor_->getCursorPosition(&line, &column);
  take(std::move(*document));
  editor_->setCursorPosition(line, column);
}

void SourceFile::changedOutside() {
  if (file().isEmpty()) return;
  const QString name = displayName();
  if (!QFileInfo::exists(file())) {
    banners_->raiseBanner(kOutsideKey, Banner::Kind::warning, [name] {
      return tr("%1 was removed by another program. The text is still here; save it to write it again.")
          .arg(name);
    });
    editor_->setUnsaved();
    return;
  }
  watch();
  if (wholeFile(file()) == onDisk_) return;
  if (!editor_->unsaved()) {
    reload();
    banners_->raiseBanner(kOutsideKey, Banner::Kind::note, [name] {
      return tr("%1 was changed by another program and has been read again.").arg(name);
    });
    return;
  }
  const auto readAgain = [this] {
    editor_->saved(file());  // the user lets it go
    reload();
  };
  banners_->raiseBanner(
      kOutsideKey, Banner::Kind::warning,
      [name] { return tr("%1 was changed by another program, and here as well.").arg(name); }, {},
      {{[] { return tr("Read it again, losing what was typed here"); }, readAgain},
       {[] { return tr("Keep both: save this text under another name"); }, [this] { saveAs(); }},
       {[] { return tr("Keep this text"); }, [this] { banners_->lower(kOutsideKey); }}});
}

bool SourceFile::mayLeave() {
  if (!editor_->unsaved()) return true;
  if (answer_) return *answer_;
  QMessageBox box(QMessageBox::Warning, tr("Unsaved text"),
                  tr("%1 has changes that are not saved.").arg(displayName()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return save();
    case QMessageBox::Discard:
      return true;
    default:
      return false;
  }
}

}  // namespace ridge::desktop
