// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/help_dialog.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QSplitter>
#include <QTextDocument>
#include <QTextTable>
#include <QVBoxLayout>
#include <array>

#include "base/files.h"

namespace ridge::desktop {
namespace {

constexpr std::array kFiles{"window.md",    "problems.md", "command-line.md", "judging.md",
                            "measuring.md", "emulator.md", "architecture.md"};

/// Markdown makes a blank of a line's end, and Chinese has none between its letters.
QString withoutBlanksInChinese(const QString& markdown) {
  static const QRegularExpression lineEnd(
      QStringLiteral("(?<=[\\x{3000}-\\x{9FFF}\\x{FF00}-\\x{FFEF}])\\n *"
                     "(?=[\\x{2018}-\\x{201D}\\x{3000}-\\x{9FFF}\\x{FF00}-\\x{FFEF}])|"
                     "(?<=[，。；：、）”])\\n *(?!\\s|[#|>]|[-*] |\\d+\\. )"));
  const QString fence = QStringLiteral("```");
  QStringList parts = markdown.split(fence);  // every other one is code
  for (qsizetype i = 0; i < parts.size(); i += 2) parts[i].remove(lineEnd);
  return parts.join(fence);
}

/// The page in the language in use, else in English.
QString page(const QString& name) {
  const QString folder = QString::fromStdString((resources_folder() / "help").string());
  for (const QString& place : {QLocale().name() + QLatin1Char('/'), QString()}) {
    QFile file(folder + QLatin1Char('/') + place + name);
    if (file.open(QIODevice::ReadOnly)) return withoutBlanksInChinese(QString::fromUtf8(file.readAll()));
  }
  return {};
}

QString heading(const QString& markdown) {
  return markdown.section(QLatin1Char('\n'), 0, 0).remove(QLatin1Char('#')).trimmed();
}

}  // namespace

HelpDialog::HelpDialog(const ActionRegistry& actions, QWidget* parent) : QDialog(parent), actions_(actions) {
  auto* column = new QVBoxLayout(this);
  auto* halves = new QSplitter(this);
  column->addWidget(halves);
  pages_ = new QListWidget(halves);
  text_ = new QTextBrowser(halves);
  text_->setOpenLinks(false);
  text_->document()->setDocumentMargin(12);
  halves->setStretchFactor(1, 1);
  halves->setSizes({200, 700});
  connect(pages_, &QListWidget::currentRowChanged, this, &HelpDialog::showPage);
  connect(text_, &QTextBrowser::anchorClicked, this, &HelpDialog::follow);
  resize(920, 680);
  retranslate();
}

void HelpDialog::retranslate() {
  setWindowTitle(tr("Help"));
  setAccessibleName(tr("Help"));
  pages_->setAccessibleName(tr("Help pages"));
  text_->setAccessibleName(tr("Help page"));
  const int row = std::max(0, pages_->currentRow());
  const QSignalBlocker quiet(pages_);
  pages_->clear();
  for (const char* file : kFiles)
    if (const QString text = page(QLatin1String(file)); !text.isEmpty()) {
      auto* item = new QListWidgetItem(heading(text), pages_);
      item->setData(Qt::UserRole, QLatin1String(file));
    }
  // Second: what one looks up most often.
  pages_->insertItem(std::min(1, pages_->count()), tr("Keys and actions"));
  pages_->setCurrentRow(std::min(row, pages_->count() - 1));
  showPage(pages_->currentRow());
}

void HelpDialog::showPage(int row) {
  const QListWidgetItem* item = pages_->item(row);
  if (!item) return;
  const QString file = item->data(Qt::UserRole).toString();
  if (file.isEmpty()) {
    text_->setHtml(actions_.helpPage());
    return;
  }
  text_->setMarkdown(page(file));
  dressTables();
}

/// Qt draws tables of Markdown with a double frame around each cell.
void HelpDialog::dressTables() {
  for (QTextFrame* frame : text_->document()->rootFrame()->childFrames())
    if (auto* table = qobject_cast<QTextTable*>(frame)) {
      QTextTableFormat format = table->format();
      format.setBorderCollapse(true);
      format.setBorder(1);
      format.setBorderBrush(palette().color(QPalette::Mid));
      format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      format.setCellPadding(5);
      format.setCellSpacing(0);
      format.setBottomMargin(8);
      table->setFormat(format);
    }
}

void HelpDialog::follow(const QUrl& link) {
  for (int row = 0; row < pages_->count(); ++row)
    if (pages_->item(row)->data(Qt::UserRole).toString() == link.fileName() && !link.fileName().isEmpty()) {
      pages_->setCurrentRow(row);
      return;
    }
  if (!link.isRelative()) QDesktopServices::openUrl(link);
}

void HelpDialog::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange && pages_) showPage(pages_->currentRow());
  QDialog::changeEvent(event);
}

}  // namespace ridge::desktop
