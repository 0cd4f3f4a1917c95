// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/busy.h"

#include <QEvent>
#include <QHBoxLayout>

namespace ridge::desktop {

Busy::Busy(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 4, 0);
  text_ = new QLabel(this);
  bar_ = new QProgressBar(this);
  bar_->setFixedWidth(110);
  bar_->setTextVisible(false);
  bar_->setMaximumHeight(12);
  stop_ = new QToolButton(this);
  stop_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  row->addWidget(text_);
  row->addWidget(bar_);
  row->addWidget(stop_);
  tick_.setInterval(100);
  connect(&tick_, &QTimer::timeout, this, &Busy::refresh);
  refresh();
}

void Busy::begin() {
  running_ = true;
  stage_.clear();
  workload_.clear();
  since_.start();
  tick_.start();
  bar_->setRange(0, 0);
  refresh();
}

void Busy::setStage(const QString& stage, const QString& workload, int step, int steps) {
  stage_ = stage;
  workload_ = workload;
  bar_->setRange(0, steps > 0 ? steps : 0);
  bar_->setValue(step);
  refresh();
}

void Busy::end() {
  running_ = false;
  tick_.stop();
  refresh();
}

void Busy::setCompiling(bool compiling) {
  compiling_ = compiling;
  refresh();
}

void Busy::refresh() {
  const auto name = [this]() -> QString {
    if (stage_ == QLatin1String("compile")) return tr("compiling");
    if (stage_ == QLatin1String("verify")) return tr("verifying");
    if (stage_ == QLatin1String("measure")) return tr("timing");
    return stage_.isEmpty() ? tr("starting") : stage_;
  };
  bar_->setVisible(running_);
  stop_->setVisible(running_);
  bar_->setAccessibleName(tr("Progress of the run"));
  stop_->setAccessibleName(tr("Stop the run"));
  text_->setAccessibleName(tr("What is going on"));
  setAccessibleName(tr("Activity"));
  if (running_)
    text_->setText(QStringLiteral("%1 %2 · %3 s")
                       .arg(workload_, name())
                       .arg(double(since_.elapsed()) / 1000, 0, 'f', 1)
                       .trimmed());
  else
    text_->setText(compiling_ ? tr("Compiling…") : tr("Ready"));
}

void Busy::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) refresh();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
