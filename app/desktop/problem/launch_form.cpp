// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/launch_form.h"

#include <QEvent>
#include <QFormLayout>
#include <QSignalBlocker>

namespace ridge::desktop {

LaunchForm::LaunchForm(QWidget* parent) : QWidget(parent) {
  auto* form = new QFormLayout(this);
  form->setContentsMargins(6, 6, 6, 6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  launch_ = new QComboBox(this);
  launch_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  launch_->setMinimumContentsLength(8);
  launchLabel_ = new QLabel(this);
  launchLabel_->setBuddy(launch_);
  form->addRow(launchLabel_, launch_);
  connect(launch_, &QComboBox::currentIndexChanged, this, &LaunchForm::refresh);
  static constexpr std::array keys{"kernel", "grid", "block",   "shared", "cluster",
                                   "args",   "arch", "options", "problem"};
  static_assert(keys.size() == std::tuple_size_v<decltype(fields_)>);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Field& field = fields_[i];
    field.key = keys[i];
    field.edit = new QLineEdit(this);
    field.edit->setObjectName(QLatin1String(keys[i]));
    field.label = new QLabel(this);
    field.label->setBuddy(field.edit);
    form->addRow(field.label, field.edit);
    connect(field.edit, &QLineEdit::editingFinished, this, [this, &field] {
      const QString value = field.edit->text().trimmed();
      if (value == field.shown) return;
      field.shown = value;
      emit edited(std::max(0, launch_->currentIndex()), QLatin1String(field.key), value);
    });
  }
  directives_.launches.resize(1);
  retranslate();
}

void LaunchForm::retranslate() {
  setAccessibleName(tr("Launch"));
  launchLabel_->setText(tr("Launch"));
  launch_->setAccessibleName(tr("Launch"));
  struct Words {
    QString label, help;
    QString empty;  ///< what holds where the directive is not given
  };
  const std::array<Words, 9> texts{
      {{tr("Kernel"), tr("a name expression such as softmax<256>; empty: the only __global__ function"),
        tr("the only one")},
       {tr("Grid"), tr("blocks: one to three expressions over the axes, such as ceil_div(n, 256)"),
        tr("still to be given")},
       {tr("Block"), tr("threads of a block: one to three expressions"), tr("still to be given")},
       {tr("Shared [B]"), tr("dynamic shared memory in bytes"), tr("none")},
       {tr("Cluster"), tr("blocks of a cluster; empty: none"), tr("none")},
       {tr("Arguments"),
        tr("tensors, scalars and axes in the order of the parameters; empty: matched by name"),
        tr("matched by name")},
       {tr("Architecture"), tr("sm_90a, …; empty: the device's own"), tr("the device's own")},
       {tr("Options"), tr("for NVRTC, such as --use_fast_math"), tr("none")},
       {tr("Problem"), tr("name of the problem; empty inside the problem's folder"), tr("the folder's")}}};
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    fields_[i].label->setText(texts[i].label);
    fields_[i].edit->setAccessibleName(texts[i].label);
    fields_[i].edit->setPlaceholderText(texts[i].empty);
    fields_[i].edit->setAccessibleDescription(texts[i].help);
  }
  refresh();
}

void LaunchForm::setSource(const source::KernelSource& source, const source::PreparedSource& prepared) {
  directives_ = source.directives;
  kernels_ = prepared.kernels;
  if (directives_.launches.empty()) directives_.launches.resize(1);
  {
    const QSignalBlocker quiet(launch_);
    const int former = launch_->currentIndex();
    launch_->clear();
    for (std::size_t i = 0; i < directives_.launches.size(); ++i) {
      QString name = QString::fromStdString(directives_.launches[i].kernel.text);
      if (name.isEmpty() && kernels_.size() == 1) name = QString::fromStdString(kernels_.front().name);
      launch_->addItem(QStringLiteral("%1 · %2").arg(i + 1).arg(name.isEmpty() ? tr("not named") : name));
    }
    launch_->setCurrentIndex(std::clamp(former, 0, launch_->count() - 1));
  }
  refresh();
}

QString LaunchForm::valueOf(const QString& key) const {
  const auto index = static_cast<std::size_t>(std::max(0, launch_->currentIndex()));
  const source::LaunchDirectives& launch =
      directives_.launches[std::min(index, directives_.launches.size() - 1)];
  const source::Value* value = nullptr;
  if (key == QLatin1String("kernel")) value = &launch.kernel;
  if (key == QLatin1String("grid")) value = &launch.grid;
  if (key == QLatin1String("block")) value = &launch.block;
  if (key == QLatin1String("shared")) value = &launch.shared;
  if (key == QLatin1String("cluster")) value = &launch.cluster;
  if (key == QLatin1String("args")) value = &launch.args;
  if (key == QLatin1String("arch")) value = &directives_.arch;
  if (key == QLatin1String("options")) value = &directives_.options;
  if (key == QLatin1String("problem")) value = &directives_.problem;
  return value ? QString::fromStdString(value->text) : QString();
}

void LaunchForm::refresh() {
  for (Field& field : fields_) {
    const QString value = valueOf(QLatin1String(field.key));
    // The whole value as well: an expression may be longer than the field.
    field.edit->setToolTip(QStringLiteral("//@ %1: %2\n%3")
                               .arg(QLatin1String(field.key), value.isEmpty() ? QStringLiteral("…") : value,
                                    field.edit->accessibleDescription()));
    if (field.edit->hasFocus() && field.edit->text() != field.shown) continue;
    field.shown = value;
    if (field.edit->text() != value) field.edit->setText(value);
    field.edit->setCursorPosition(0);
  }
}

QLineEdit* LaunchForm::field(const QString& key) const {
  for (const Field& field : fields_)
    if (key == QLatin1String(field.key)) return field.edit;
  return nullptr;
}

void LaunchForm::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
