// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on one run: status, findings, first mismatches, where the output is wrong, and the tolerance
// that decided.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QTableWidget>

#include "sessions/run_book.h"
#include "theme/theme.h"
#include "verification/error_map.h"

namespace ridge::desktop {

class VerificationPane : public QWidget {
  Q_OBJECT

 public:
  VerificationPane(Theme& theme, QWidget* parent);
  void setRun(const RunPtr& run);
  const RunPtr& run() const { return run_; }
  void setStale(bool stale);
  QTableWidget* mismatches() const { return mismatches_; }
  QLabel* headline() const { return headline_; }
  QComboBox* mapPicker() const { return maps_; }

 signals:
  void linePicked(int line);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void fillMismatches();
  void fillMaps();
  void showMap(int index);
  QString findingsText() const;
  QString numbersText() const;
  QString toleranceText() const;

  Theme& theme_;
  RunPtr run_;
  bool stale_ = false;
  QLabel* headline_ = nullptr;
  QLabel* message_ = nullptr;
  QLabel* numbers_ = nullptr;
  QLabel* tolerance_ = nullptr;
  QLabel* mismatchTitle_ = nullptr;
  QTableWidget* mismatches_ = nullptr;
  QLabel* mapTitle_ = nullptr;
  QComboBox* maps_ = nullptr;  ///< one entry a map of the verdict
  ErrorMapView* map_ = nullptr;
  QLabel* mapNote_ = nullptr;
  QWidget* mapBox_ = nullptr;
};

}  // namespace ridge::desktop
