// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of light: one bar a run, how much of T_SOL is reached. Runs without a time show T_SOL alone.
#pragma once

#include <QScrollArea>

#include "charts/chart_pane.h"

namespace ridge::desktop {

class SolChart : public ChartPane {
  Q_OBJECT

 public:
  SolChart(Theme& theme, QWidget* parent);
  QString title() const override { return tr("Speed of light"); }

 protected:
  void draw() override;
  QString emptyText() const override;
  void showAll() override;
  void resized() override { nameRows(); }
  void forgetItems() override { notes_.clear(); }

 private:
  struct Bar {
    RunPtr run;
    const Series* series;
  };
  /// The words beside a row's bar.
  struct Note {
    QCPItemText* text;
    QStringList parts;  ///< as many of the first ones are shown as there is room for
    double end;         ///< of the bar, percent
    bool marked;        ///< a mark stands at 100 %
  };
  std::vector<Bar> ordered() const;
  static QStringList noteOn(const model::Basis& basis);
  void addTableRow(const RunPtr& run, const Series& series);
  QCPBars* barsOf(const Series& series);  ///< none of its runs yet
  void addNote(const QStringList& parts, std::optional<double> reached, bool limitKnown);
  void addMarks(const QVector<QPointF>& places, const QCPScatterStyle& style, const QString& name);
  void nameRows();
  void placeNotes();

  std::vector<Note> notes_;  ///< one a row
  int rows_ = 0;
  struct Name {
    QString what, where;
  };
  std::vector<Name> names_;  ///< of the rows
  double widest_ = 100;
};

}  // namespace ridge::desktop
