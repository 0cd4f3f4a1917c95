// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions/registry.h"

#include <QCoreApplication>
#include <QMenu>
#include <QRegularExpression>

namespace ridge::desktop {
namespace {

QString translated(const char* text) {
  return QCoreApplication::translate("ridge::desktop::Actions", text);
}

QString plain(QString text) {
  return text.remove(QLatin1Char('&'));
}

/// For a tool button: without the letter that Chinese menus put in brackets, and without dots.
QString onButton(QString text) {
  static const QRegularExpression letter(QStringLiteral("\\(&.\\)"));
  return plain(text.remove(letter)).remove(QChar(0x2026));
}

}  // namespace

ActionRegistry::ActionRegistry(Theme& theme, QObject* parent) : QObject(parent), theme_(theme) {
  connect(&theme_, &Theme::changed, this, &ActionRegistry::refreshIcons);
}

QAction* ActionRegistry::add(const ActionSpec& spec, std::function<void()> handler) {
  auto* action = new QAction(this);
  action->setObjectName(QLatin1String(spec.id));
  action->setCheckable(spec.checkable);
  QList<QKeySequence> keys;
  for (const QString& key : QString::fromLatin1(spec.keys).split(QLatin1Char(' '), Qt::SkipEmptyParts))
    keys << QKeySequence(key, QKeySequence::PortableText);
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WindowShortcut);
  connect(action, &QAction::triggered, this, [run = std::move(handler)] { run(); });
  specs_.push_back(spec);
  actions_.push_back(action);
  return action;
}

QAction* ActionRegistry::action(const QString& id) const {
  for (QAction* action : actions_)
    if (action->objectName() == id) return action;
  return nullptr;
}

void ActionRegistry::fill(QMenu* menu, MenuId id) const {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].menu != id) continue;
    if (specs_[i].separatorBefore) menu->addSeparator();
    menu->addAction(actions_[i]);
  }
}

void ActionRegistry::retranslate() {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const QString text = translated(specs_[i].text), help = translated(specs_[i].help);
    actions_[i]->setText(text);
    actions_[i]->setIconText(onButton(text));
    actions_[i]->setStatusTip(help);
    const QString key = actions_[i]->shortcut().toString(QKeySequence::NativeText);
    actions_[i]->setToolTip(key.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, key));
  }
  refreshIcons();
}

void ActionRegistry::refreshIcons() {
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (specs_[i].icon[0] != '\0') actions_[i]->setIcon(theme_.icon(QLatin1String(specs_[i].icon)));
}

QString ActionRegistry::menuTitle(MenuId id) {
  switch (id) {
    case MenuId::file:
      return tr("&File");
    case MenuId::edit:
      return tr("&Edit");
    case MenuId::run:
      return tr("&Run");
    case MenuId::view:
      return tr("&View");
    case MenuId::theme:
      return tr("T&heme");
    case MenuId::language:
      return tr("La&nguage");
    case MenuId::layout:
      return tr("La&yout");
    case MenuId::help:
      return tr("&Help");
  }
  return {};
}

QString ActionRegistry::helpPage() const {
  QString page = QStringLiteral("<h2>%1</h2><p>%2</p>")
                     .arg(tr("Everything the window can do"),
                          tr("Each action is also in the command palette (Ctrl+Shift+P). F6 and Shift+F6 go "
                             "from pane to pane."));
  for (const MenuId menu : {MenuId::file, MenuId::edit, MenuId::run, MenuId::view, MenuId::theme,
                            MenuId::language, MenuId::layout, MenuId::help}) {
    page += QStringLiteral("<h3>%1</h3><table cellpadding='3'>").arg(plain(menuTitle(menu)).toHtmlEscaped());
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].menu != menu) continue;
      QStringList keys;
      for (const QKeySequence& key : actions_[i]->shortcuts()) keys << key.toString(QKeySequence::NativeText);
      page += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td><td>%3</td></tr>")
                  .arg(plain(translated(specs_[i].text)).toHtmlEscaped(),
                       keys.join(QStringLiteral(", ")).toHtmlEscaped(),
                       translated(specs_[i].help).toHtmlEscaped());
    }
    page += QStringLiteral("</table>");
  }
  return page;
}

}  // namespace ridge::desktop
