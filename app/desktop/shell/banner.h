// SPDX-License-Identifier: GPL-3.0-or-later
// Messages above the editor that stay until they are closed or no longer true. No modal box, no message that
// vanishes.
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <functional>
#include <vector>

#include "shell/language.h"
#include "theme/theme.h"

namespace ridge::desktop {

class Banner : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { note, warning, error };
  struct Button {
    Saying text;
    std::function<void()> action;
  };
  Banner(Theme& theme, QString key, Kind kind, Saying text, Saying details, std::vector<Button> buttons,
         QWidget* parent);
  const QString& key() const { return key_; }
  QString text() const;
  Kind kind() const { return kind_; }

 signals:
  void closed();

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void retranslate();
  void colourIn();

  Theme& theme_;
  QString key_;
  Kind kind_;
  Saying sayText_, sayDetails_;
  std::vector<std::pair<QToolButton*, Saying>> buttons_;  ///< those of this banner only
  QLabel* icon_ = nullptr;
  QLabel* text_ = nullptr;
  QLabel* details_ = nullptr;
  QToolButton* more_ = nullptr;
  QToolButton* copy_ = nullptr;
  QToolButton* close_ = nullptr;
};

/// A stack of banners; one per key.
class BannerArea : public QWidget {
  Q_OBJECT

 public:
  BannerArea(Theme& theme, QWidget* parent);
  void raiseBanner(const QString& key, Banner::Kind kind, Saying text, Saying details = {},
                   std::vector<Banner::Button> buttons = {});
  void lower(const QString& key);
  const Banner* banner(const QString& key) const;
  int count() const { return static_cast<int>(banners_.size()); }

 private:
  Theme& theme_;
  QVBoxLayout* column_ = nullptr;
  std::vector<Banner*> banners_;
};

}  // namespace ridge::desktop
