// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/run_setup.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <algorithm>

#include "hardware/device_model.h"

namespace ridge::desktop {
namespace {

QString qstring(const std::string& text) {
  return QString::fromStdString(text);
}

const QString kDefaultModel = QStringLiteral("H200");

QString axesText(const std::map<std::string, std::int64_t>& axes) {
  QStringList parts;
  for (const auto& [name, value] : axes) parts << QStringLiteral("%1=%2").arg(qstring(name)).arg(value);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

RunSetup::RunSetup(QWidget* parent) : QWidget(parent) {
  auto* form = new QFormLayout(this);
  form->setContentsMargins(6, 6, 6, 6);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  const auto picker = [this] {
    auto* box = new QComboBox(this);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
  };
  problems_ = picker();
  openFolder_ = new QPushButton(this);
  kernels_ = picker();
  workloads_ = new QListWidget(this);
  workloads_->setMaximumHeight(150);
  workloads_->setMinimumHeight(70);
  workloads_->setTextElideMode(Qt::ElideRight);
  workloads_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  devices_ = picker();
  models_ = picker();
  about_ = new QLabel(this);
  about_->setWordWrap(true);
  about_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  const auto label = [this](QWidget* buddy) {
    auto* l = new QLabel(this);
    l->setBuddy(buddy);
    return l;
  };
  auto* problemRow = new QHBoxLayout;
  problemRow->addWidget(problems_, 1);
  problemRow->addWidget(openFolder_);
  form->addRow(problemLabel_ = label(problems_), problemRow);
  form->addRow(about_);
  form->addRow(kernelLabel_ = label(kernels_), kernels_);
  form->addRow(workloadLabel_ = label(workloads_));  // above the list, which needs the whole width
  form->addRow(workloads_);
  form->addRow(deviceLabel_ = label(devices_), devices_);
  form->addRow(modelLabel_ = label(models_), models_);
  deviceNote_ = new QLabel(this);
  deviceNote_->setWordWrap(true);
  deviceNote_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  form->addRow(deviceNote_);
  form->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding));

  devices_->addItem(QString(), QStringLiteral("auto"));
  devices_->addItem(QString(), QStringLiteral("emulator"));
  for (const hardware::DeviceModel& model : hardware::catalogue().devices)
    models_->addItem(qstring(model.name), qstring(model.name));
  if (const int h200 = models_->findData(kDefaultModel); h200 >= 0) models_->setCurrentIndex(h200);

  connect(problems_, &QComboBox::currentIndexChanged, this, &RunSetup::loadProblem);
  connect(openFolder_, &QPushButton::clicked, this, &RunSetup::openFolderWanted);
  connect(kernels_, &QComboBox::activated, this,
          [this](int index) { emit kernelPicked(kernels_->itemData(index).toString()); });
  connect(devices_, &QComboBox::currentIndexChanged, this, [this] {
    describe();
    emit deviceChanged();
  });
  connect(models_, &QComboBox::currentIndexChanged, this, &RunSetup::deviceChanged);
  retranslate();
}

void RunSetup::retranslate() {
  setAccessibleName(tr("Run setup"));
  problemLabel_->setText(tr("&Problem"));
  kernelLabel_->setText(tr("&Kernel"));
  workloadLabel_->setText(tr("&Workloads"));
  deviceLabel_->setText(tr("&Device"));
  modelLabel_->setText(tr("&Model"));
  openFolder_->setText(tr("Open…"));
  openFolder_->setToolTip(tr("Open a problem folder that is not in the library"));
  openFolder_->setAccessibleName(tr("Open a problem folder"));
  problems_->setAccessibleName(tr("Problem"));
  kernels_->setAccessibleName(tr("Kernel file"));
  workloads_->setAccessibleName(tr("Workloads to run"));
  devices_->setAccessibleName(tr("Device"));
  models_->setAccessibleName(tr("Device that the emulator stands for"));
  models_->setToolTip(tr("The catalogue device whose limits and ceilings the emulator uses"));
  devices_->setItemText(1, tr("PTX emulator (CPU)"));
  refillKernels();
  refillWorkloads();
  describe();
}

void RunSetup::setLibrary(const QString& folder) {
  const QSignalBlocker quiet(problems_);
  const QString former = problems_->currentData().toString();
  for (const auto& path : problem::find_problems(folder.toStdString())) {
    const QString place = QDir::cleanPath(QFileInfo(qstring(path.string())).absoluteFilePath());
    if (problems_->findData(place) < 0) problems_->addItem(qstring(path.filename().string()), place);
  }
  problems_->setCurrentIndex(std::max(0, problems_->findData(former)));
  loadProblem();
}

bool RunSetup::setProblem(const QString& nameOrFolder) {
  int index = problems_->findText(nameOrFolder, Qt::MatchExactly);
  if (index < 0) {
    const QFileInfo info(nameOrFolder);
    const QString place = QDir::cleanPath(info.absoluteFilePath());
    index = problems_->findData(place);
    if (index < 0 && QFileInfo::exists(place + QStringLiteral("/problem.toml"))) {
      const QSignalBlocker quiet(problems_);
      problems_->addItem(info.fileName(), place);
      index = problems_->count() - 1;
    }
  }
  if (index < 0) return false;
  if (problems_->currentIndex() == index && problem_) return true;
  const QSignalBlocker quiet(problems_);
  problems_->setCurrentIndex(index);
  loadProblem();
  return true;
}

void RunSetup::loadProblem() {
  problem_.reset();
  diagnostics_.clear();
  if (const QString folder = problems_->currentData().toString(); !folder.isEmpty()) {
    auto loaded = problem::load_problem(folder.toStdString());
    problem_ = std::move(loaded.problem);
    diagnostics_ = std::move(loaded.diagnostics);
  }
  refillKernels();
  refillWorkloads();
  describe();
  emit problemChanged();
}

QStringList RunSetup::kernelFiles() const {
  const QString folder = problems_->currentData().toString();
  if (folder.isEmpty()) return {};
  QStringList files;
  const QString reference = problem_ ? qstring(problem_->reference.file) : QString();
  for (const QFileInfo& info :
       QDir(folder).entryInfoList({QStringLiteral("*.cu"), QStringLiteral("*.ptx")}, QDir::Files, QDir::Name))
    if (info.fileName() != reference && info.fileName() != QLatin1String("reference.cu"))
      files << info.absoluteFilePath();
  return files;
}

void RunSetup::refillKernels() {
  const QSignalBlocker quiet(kernels_);
  kernels_->clear();
  QStringList files = kernelFiles();
  if (!kernelFile_.isEmpty() && !files.contains(kernelFile_)) files.prepend(kernelFile_);
  for (const QString& file : files) kernels_->addItem(QFileInfo(file).fileName(), file);
  const int at = kernels_->findData(kernelFile_);
  kernels_->setCurrentIndex(at);
  kernels_->setPlaceholderText(tr("choose a kernel"));
}

void RunSetup::refillWorkloads() {
  const QStringList chosen = problem_ && shownProblem_ == problem_->name ? workloads() : QStringList();
  workloads_->clear();
  shownProblem_.clear();
  if (!problem_) return;
  shownProblem_ = problem_->name;
  for (const problem::Workload& workload : problem_->workloads) {
    const QString name = qstring(workload.name);
    const QString size = workload.large ? QStringLiteral(" · ") + tr("large") : QString();
    const QString text = QStringLiteral("%1%2  (%3)").arg(name, size, axesText(workload.axes));
    auto* item = new QListWidgetItem(text, workloads_);
    item->setData(Qt::UserRole, name);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    // A new problem starts with its first workload.
    const bool on = chosen.isEmpty() ? workloads_->count() == 1 : chosen.contains(name);
    item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(workload.large ? tr("Needs gigabytes or minutes: for a GPU") + QLatin1Char('\n') + text
                                    : text);
  }
}

void RunSetup::setWorkloads(const QStringList& names) {
  for (int i = 0; i < workloads_->count(); ++i) {
    QListWidgetItem* item = workloads_->item(i);
    item->setCheckState(names.contains(item->data(Qt::UserRole).toString()) ? Qt::Checked : Qt::Unchecked);
  }
}

QStringList RunSetup::workloads() const {
  QStringList names;
  for (int i = 0; i < workloads_->count(); ++i)
    if (workloads_->item(i)->checkState() == Qt::Checked)
      names << workloads_->item(i)->data(Qt::UserRole).toString();
  return names;
}

void RunSetup::setKernelFile(const QString& file) {
  kernelFile_ = file.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(file).absoluteFilePath());
  refillKernels();
}

void RunSetup::setCapabilities(const worker::Capabilities& capabilities) {
  const QString former = device();
  const QSignalBlocker quiet(devices_);
  known_ = capabilities.devices;
  if (former == QLatin1String("auto")) served_ = capabilities.device;
  while (devices_->count() > 2) devices_->removeItem(2);
  for (const device::DeviceInfo& info : known_)
    if (info.kind == device::Kind::cuda)
      devices_->addItem(QStringLiteral("%1: %2").arg(qstring(info.id), qstring(info.name)), qstring(info.id));
  devices_->setCurrentIndex(std::max(0, devices_->findData(former)));
  describe();
}

void RunSetup::setDevice(const QString& id) {
  if (const int index = devices_->findData(id); index >= 0) devices_->setCurrentIndex(index);
}

void RunSetup::setModel(const QString& name) {
  if (const int index = models_->findData(name); index >= 0) models_->setCurrentIndex(index);
}

QString RunSetup::device() const {
  return devices_->currentData().toString();
}

QString RunSetup::model() const {
  // A worker takes a model only with the emulator, and stands for an H200 without one.
  const QString chosen = models_->currentData().toString();
  return models_->isEnabled() && chosen != kDefaultModel ? chosen : QString();
}

std::string RunSetup::arch() const {
  const std::string id = device() == QLatin1String("auto") ? served_ : device().toStdString();
  for (const device::DeviceInfo& info : known_)
    if (info.id == id && info.kind == device::Kind::cuda) return info.arch;
  const hardware::DeviceModel* model =
      hardware::catalogue().find(models_->currentData().toString().toStdString());
  return model ? model->arch : "sm_90a";
}

void RunSetup::describe() {
  const std::string id = device() == QLatin1String("auto") ? served_ : device().toStdString();
  models_->setEnabled(id.empty() || id == "emulator");
  modelLabel_->setEnabled(models_->isEnabled());
  devices_->setItemText(0, served_.empty()         ? tr("Automatic")
                           : served_ == "emulator" ? tr("Automatic: PTX emulator")
                                                   : tr("Automatic: %1").arg(qstring(served_)));
  const bool gpu = std::any_of(known_.begin(), known_.end(), [](const device::DeviceInfo& info) {
    return info.kind == device::Kind::cuda;
  });
  deviceNote_->setAccessibleName(tr("About the device"));
  deviceNote_->setText(
      gpu ? tr("The emulator judges results exactly and counts, but has no clock: runs are not timed.")
          : tr("No GPU was found. The emulator judges results exactly and counts, but has no clock: runs are "
               "not "
               "timed."));
  deviceNote_->setVisible(id == "emulator" && !known_.empty());
  about_->setAccessibleName(tr("About the problem"));
  if (!problem_) {
    about_->setText(problems_->count() == 0
                        ? tr("No problem library was found. Open a problem folder, or set RIDGE_KERNELS.")
                        : tr("problem.toml is at fault; see the Problems pane."));
    return;
  }
  about_->setText(qstring(problem_->title.in(QLocale().name().toStdString())));
}

void RunSetup::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
