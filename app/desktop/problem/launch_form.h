// SPDX-License-Identifier: GPL-3.0-or-later
// The launch form: the directives of one launch as fields. An edit changes exactly the line of that
// directive.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <array>

#include "source/source.h"

namespace ridge::desktop {

class LaunchForm : public QWidget {
  Q_OBJECT

 public:
  explicit LaunchForm(QWidget* parent);
  /// Shows the directives; a field that is being edited keeps what is typed.
  void setSource(const source::KernelSource& source, const source::PreparedSource& prepared);
  QLineEdit* field(const QString& key) const;

 signals:
  void edited(int launch, const QString& key, const QString& value);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Field {
    const char* key;
    QLabel* label;
    QLineEdit* edit;
    QString shown;
  };
  void retranslate();
  void refresh();
  QString valueOf(const QString& key) const;

  QComboBox* launch_ = nullptr;
  QLabel* launchLabel_ = nullptr;
  std::array<Field, 9> fields_;
  source::Directives directives_;
  std::vector<source::Signature> kernels_;
};

}  // namespace ridge::desktop
