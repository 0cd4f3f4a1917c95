// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/banner.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

namespace ridge::desktop {
namespace {

constexpr int kStripe = 4;  ///< pixels of the kind's colour at the left edge

}  // namespace

Banner::Banner(Theme& theme, QString key, Kind kind, Saying text, Saying details, std::vector<Button> buttons,
               QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      key_(std::move(key)),
      kind_(kind),
      sayText_(std::move(text)),
      sayDetails_(std::move(details)) {
  setAutoFillBackground(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kStripe + 8, 4, 8, 5);
  auto* row = new QHBoxLayout;
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(icon_);
  row->addWidget(text_, 1);
  for (Button& button : buttons) {
    auto* b = new QToolButton(this);
    connect(b, &QToolButton::clicked, this, [run = std::move(button.action)] { run(); });
    row->addWidget(b);
    buttons_.emplace_back(b, std::move(button.text));
  }
  more_ = new QToolButton(this);
  more_->setCheckable(true);
  copy_ = new QToolButton(this);
  close_ = new QToolButton(this);
  for (QToolButton* b : {more_, copy_, close_}) {
    b->setAutoRaise(true);
    row->addWidget(b);
  }
  column->addLayout(row);
  details_ = new QLabel(this);
  details_->setWordWrap(true);
  details_->setTextFormat(Qt::PlainText);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  details_->hide();
  column->addWidget(details_);
  connect(more_, &QToolButton::toggled, details_, &QWidget::setVisible);
  connect(copy_, &QToolButton::clicked, this, [this] {
    QApplication::clipboard()->setText(
        details_->text().isEmpty() ? text_->text() : text_->text() + QLatin1Char('\n') + details_->text());
  });
  connect(close_, &QToolButton::clicked, this, &Banner::closed);
  connect(&theme_, &Theme::changed, this, &Banner::colourIn);
  retranslate();
  colourIn();
}

QString Banner::text() const {
  return text_->text();
}

void Banner::retranslate() {
  text_->setText(sayText_());
  details_->setText(sayDetails_ ? sayDetails_() : QString());
  more_->setVisible(!details_->text().isEmpty());
  for (const auto& [button, say] : buttons_) {
    button->setText(say());
    button->setAccessibleName(button->text());
  }
  more_->setText(tr("Details"));
  copy_->setText(tr("Copy"));
  close_->setText(tr("Close"));
  for (QToolButton* b : {more_, copy_, close_}) b->setAccessibleName(b->text());
  const QString kind = kind_ == Kind::error     ? tr("Error")
                       : kind_ == Kind::warning ? tr("Warning")
                                                : tr("Note");
  setAccessibleName(kind);
  icon_->setAccessibleName(kind);
  text_->setAccessibleName(kind);
  details_->setAccessibleName(tr("Details"));
}

void Banner::colourIn() {
  QPalette colours = paletteOf(theme_.current());
  const Role paper = kind_ == Kind::error     ? Role::bannerError
                     : kind_ == Kind::warning ? Role::bannerWarning
                                              : Role::bannerNote;
  colours.setColor(QPalette::Window, theme_(paper));
  colours.setColor(QPalette::WindowText, theme_(Role::bannerText));
  setPalette(colours);
  const char* name = kind_ == Kind::error ? "error" : kind_ == Kind::warning ? "warning" : "note";
  icon_->setPixmap(theme_.icon(QLatin1String(name)).pixmap(16, 16));
}

/// The papers of two banners, or of a banner and the editor, may be one colour: an edge tells them apart.
void Banner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Role ink = kind_ == Kind::error ? Role::error : kind_ == Kind::warning ? Role::warning : Role::note;
  painter.fillRect(0, 0, kStripe, height(), theme_(ink));
  painter.fillRect(0, height() - 1, width(), 1, theme_(Role::border));
}

void Banner::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

BannerArea::BannerArea(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(1);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

const Banner* BannerArea::banner(const QString& key) const {
  for (const Banner* banner : banners_)
    if (banner->key() == key) return banner;
  return nullptr;
}

void BannerArea::raiseBanner(const QString& key, Banner::Kind kind, Saying text, Saying details,
                             std::vector<Banner::Button> buttons) {
  lower(key);
  auto* banner = new Banner(theme_, key, kind, std::move(text), std::move(details), std::move(buttons), this);
  connect(banner, &Banner::closed, this, [this, key] { lower(key); });
  column_->addWidget(banner);
  banners_.push_back(banner);
  banner->show();
}

void BannerArea::lower(const QString& key) {
  std::erase_if(banners_, [&](Banner* banner) {
    if (banner->key() != key) return false;
    banner->hide();
    banner->deleteLater();  // it may be one of its own buttons that asks
    return true;
  });
}

}  // namespace ridge::desktop
