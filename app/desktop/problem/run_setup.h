// SPDX-License-Identifier: GPL-3.0-or-later
// What to run: the problem, one of its kernels, its workloads, the device.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "problem/problem.h"
#include "worker/worker.h"

namespace ridge::desktop {

class RunSetup : public QWidget {
  Q_OBJECT

 public:
  explicit RunSetup(QWidget* parent);

  /// Fills the picker with the problem library and those opened by hand.
  void setLibrary(const QString& folder);
  /// Selects a problem by name, or a problem folder by path. False: there is none.
  bool setProblem(const QString& nameOrFolder);
  void setKernelFile(const QString& file);
  void setCapabilities(const worker::Capabilities& capabilities);
  void setDevice(const QString& id);
  void setModel(const QString& name);
  void setWorkloads(const QStringList& names);

  const std::optional<problem::Problem>& problem() const { return problem_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  QStringList workloads() const;    ///< chosen, in the order of the problem
  QStringList kernelFiles() const;  ///< of the problem's folder, the reference left out
  QString device() const;
  QString model() const;     ///< of the emulator; empty: the default, or no emulator
  std::string arch() const;  ///< of the device chosen
  QComboBox* problemPicker() const { return problems_; }
  QComboBox* devicePicker() const { return devices_; }
  QListWidget* workloadList() const { return workloads_; }

 signals:
  void problemChanged();
  void kernelPicked(const QString& file);
  void deviceChanged();
  void openFolderWanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void loadProblem();
  void refillKernels();
  void refillWorkloads();
  void describe();

  QLabel* problemLabel_ = nullptr;
  QLabel* kernelLabel_ = nullptr;
  QLabel* workloadLabel_ = nullptr;
  QLabel* deviceLabel_ = nullptr;
  QLabel* modelLabel_ = nullptr;
  QLabel* about_ = nullptr;
  QLabel* deviceNote_ = nullptr;  ///< what the device chosen cannot do
  QComboBox* problems_ = nullptr;
  QPushButton* openFolder_ = nullptr;
  QComboBox* kernels_ = nullptr;
  QListWidget* workloads_ = nullptr;
  QComboBox* devices_ = nullptr;
  QComboBox* models_ = nullptr;
  std::optional<problem::Problem> problem_;
  Diagnostics diagnostics_;
  std::string shownProblem_;  ///< whose workloads the list holds
  QString kernelFile_;
  std::vector<device::DeviceInfo> known_;
  std::string served_;  ///< the device that "best" means
};

}  // namespace ridge::desktop
