// SPDX-License-Identifier: GPL-3.0-or-later
#include "code/code_pane.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "shell/language.h"

namespace ridge::desktop {

GeneratedView::GeneratedView(Theme& theme, QWidget* parent) : CodeView(theme, parent) {
  lexer_ = new AssemblyLexer(this);
  setTabWidth(8);
  SendScintilla(SCI_SETUNDOCOLLECTION, 0UL);
  setReadOnly(true);
  applyTheme();
}

void GeneratedView::show(const QByteArray& text) {
  setReadOnly(false);
  load(text);
  setReadOnly(true);
}

void GeneratedView::applyTheme() {
  lexer_->applyTheme(theme());
  setLexer(lexer_);
  CodeView::applyTheme();
}

CodePane::CodePane(Theme& theme, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 2);
  column->setSpacing(2);
  auto* row = new QHBoxLayout;
  kind_ = new QComboBox(this);
  kind_->addItem(QStringLiteral("PTX"));
  kind_->addItem(QStringLiteral("SASS"));
  head_ = new QLabel(this);
  head_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  head_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(kind_);
  row->addWidget(head_, 1);
  column->addLayout(row);
  pages_ = new QStackedWidget(this);
  view_ = new GeneratedView(theme, pages_);
  empty_ = new QLabel(pages_);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  pages_->addWidget(empty_);
  pages_->addWidget(view_);
  column->addWidget(pages_, 1);
  connect(kind_, &QComboBox::currentIndexChanged, this, [this](int kind) {
    if (kind == sass && disassembler_ && sass_.empty()) emit sassWanted();
    refresh();
  });
  connect(view_, &CodeView::lineChanged, this, [this](int line) {
    const auto index = static_cast<std::size_t>(line);
    if (following_ || index >= map_.sourceOf.size() || map_.sourceOf[index] == 0) return;
    view_->setLinked(map_.generatedFor(map_.sourceOf[index]));
    emit sourceLinePicked(map_.sourceOf[index]);
  });
  retranslate();
}

void CodePane::retranslate() {
  setAccessibleName(tr("Generated code"));
  kind_->setAccessibleName(tr("Kind of generated code"));
  kind_->setToolTip(tr("PTX is the compiler's portable assembly; SASS is what the GPU executes"));
  view_->setAccessibleName(tr("Generated code"));
  empty_->setAccessibleName(tr("Generated code"));
  head_->setAccessibleName(tr("Resources of the kernels"));
  refresh();
}

void CodePane::setCompiled(const compile::CompiledKernel& kernel, const std::string& file) {
  ptx_ = kernel.ptx;
  sass_.clear();
  file_ = file;
  stale_ = false;
  entries_ = kernel.entries;
  if (kind_->currentIndex() == sass && disassembler_) emit sassWanted();
  refresh();
}

/// What each kernel takes of an SM.
QString CodePane::resources() const {
  QStringList parts;
  for (const compile::Entry& entry : entries_) {
    if (!entry.resources) continue;
    QString part = tr("%1: %2 registers, %3 B shared")
                       .arg(QString::fromStdString(entry.name))
                       .arg(entry.resources->registers)
                       .arg(entry.resources->shared_bytes);
    if (const auto spills = entry.resources->spill_store_bytes + entry.resources->spill_load_bytes;
        spills > 0)
      part += QStringLiteral(", ") + tr("%1 B spilled").arg(spills);
    parts << part;
  }
  return parts.join(QStringLiteral("; "));
}

void CodePane::setSass(const std::string& text) {
  sass_ = text;
  refresh();
}

void CodePane::setDisassembler(bool available, const Sentence& whyNot) {
  disassembler_ = available;
  whyNoSass_ = whyNot;
  refresh();
}

void CodePane::setStale(bool stale) {
  if (stale_ == stale) return;
  stale_ = stale;
  refresh();
}

void CodePane::refresh() {
  const bool wantsSass = kind_->currentIndex() == sass;
  const std::string& text = wantsSass ? sass_ : ptx_;
  head_->setText((stale_ ? tr("of the text before the last change") + QStringLiteral(" — ") : QString()) +
                 resources());
  head_->setToolTip(head_->text());
  if (text.empty()) {
    empty_->setText(
        wantsSass && !disassembler_
            ? tr("No SASS: %1")
                  .arg(whyNoSass_.empty() ? tr("no disassembler (nvdisasm) was found.") : words(whyNoSass_))
        : wantsSass ? tr("Disassembling…")
                    : tr("Nothing is compiled yet. The generated PTX appears here as you type."));
    pages_->setCurrentWidget(empty_);
    map_ = {};
    emit mapChanged();
    return;
  }
  pages_->setCurrentWidget(view_);
  const QByteArray bytes = QByteArray::fromStdString(text);
  following_ = true;
  if (view_->bytes() != bytes) view_->show(bytes);
  map_ = wantsSass ? lineMapOfSass(text, file_) : lineMapOfPtx(text, file_);
  std::vector<std::pair<int, int>> hues;
  for (std::size_t i = 0; i < map_.sourceOf.size(); ++i)
    if (map_.sourceOf[i] > 0) hues.emplace_back(static_cast<int>(i), map_.sourceOf[i]);
  view_->setHues(hues);
  following_ = false;
  emit mapChanged();
}

void CodePane::showSourceLine(int line) {
  const std::vector<int> lines = map_.generatedFor(line);
  view_->setLinked(lines);
  if (lines.empty() || view_->hasFocus()) return;
  following_ = true;
  view_->goTo(lines.front());
  following_ = false;
}

std::vector<int> CodePane::sourceLines() const {
  std::vector<int> lines(map_.sourceOf);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::erase(lines, 0);
  return lines;
}

void CodePane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
