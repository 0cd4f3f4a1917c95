// SPDX-License-Identifier: GPL-3.0-or-later
// What each action of the table does.
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "base/files.h"
#include "base/version.h"
#include "problem/new_kernel.h"
#include "session/store.h"
#include "shell/actions.h"
#include "shell/help_dialog.h"
#include "shell/language.h"
#include "shell/main_window.h"

namespace ridge::desktop {

void MainWindow::bindActions() {
  bindFiles();
  bindEditing();
  bindRuns();
  bindView();
  bindHelp();
  for (const ActionSpec& spec : Actions::specs()) {
    const auto handler = handlers_.find(spec.id);
    Q_ASSERT_X(handler != handlers_.end(), "bindActions", spec.id);
    actions_.add(spec, handler->second);
  }
  actions_.action(QStringLiteral("run.stop"))->setEnabled(false);
  actions_.action(QStringLiteral("run.live"))->setChecked(true);
}

void MainWindow::bindFiles() {
  bind("file.open", [this] {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a kernel"), file_->file(),
                                                      tr("Kernels (*.cu *.cuh *.ptx);;All files (*)"));
    if (!file.isEmpty()) file_->open(file);
  });
  bind("file.new", [this] { startKernel(); });
  bind("file.recent", [this] { openRecent(); });
  bind("file.problem", [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a problem folder"));
    if (folder.isEmpty()) return;
    if (chooseProblem(folder))
      banners_->lower(QStringLiteral("problem"));
    else
      banners_->raiseBanner(QStringLiteral("problem"), Banner::Kind::error,
                            [folder] { return tr("%1 holds no problem.toml.").arg(folder); });
  });
  bind("file.save", [this] { file_->save(); });
  bind("file.saveAs", [this] { file_->saveAs(); });
  bind("file.reload", [this] { file_->reload(); });
  bind("file.asUtf8", [this] { file_->becomeUtf8(); });
  bind("file.asGbk", [this] { file_->readAs(Charset::gb18030); });
  bind("file.asLatin", [this] { file_->readAs(Charset::windows1252); });
  bind("session.open", [this] { askForSessions(); });
  bind("session.save", [this] { askToSaveSession(); });
  bind("session.report", [this] { writeReport(); });
  bind("session.close", [this] { sessions_->closeSelected(); });
  bind("file.quit", [this] { close(); });
}

void MainWindow::bindEditing() {
  bind("edit.undo", [this] { editor_->undo(); });
  bind("edit.redo", [this] { editor_->redo(); });
  bind("edit.cut", [this] { cutCopyPaste("cut"); });
  bind("edit.copy", [this] { cutCopyPaste("copy"); });
  bind("edit.paste", [this] { cutCopyPaste("paste"); });
  bind("edit.find", [this] { find_->popUp(false); });
  bind("edit.replace", [this] { find_->popUp(true); });
  bind("edit.goToLine", [this] { goToLine(); });
  bind("edit.findNext", [this] { find_->find(true); });
  bind("edit.findPrevious", [this] { find_->find(false); });
  bind("edit.comment", [this] { editor_->toggleComment(); });
  bind("edit.blanks", [this] { editor_->replaceText(withoutOddBlanks(editor_->bytes())); });
  bind("edit.nextProblem", [this] { goToProblem(1); });
  bind("edit.previousProblem", [this] { goToProblem(-1); });
}

void MainWindow::bindRuns() {
  bind("run.run", [this] { control_->run(); });
  bind("run.all", [this] { control_->runAllKernels(); });
  bind("run.compile", [this] { control_->compileNow(); });
  bind("run.stop", [this] { control_->stop(); });
  bind("run.live", [this] { control_->setLive(actions_.action(QStringLiteral("run.live"))->isChecked()); });
  bind("run.memory",
       [this] { control_->setMemoryModel(actions_.action(QStringLiteral("run.memory"))->isChecked()); });
  bind("run.allWorkloads", [this] {
    QStringList names;
    if (setup_->problem())
      for (const problem::Workload& workload : setup_->problem()->workloads)
        if (!workload.large) names << QString::fromStdString(workload.name);
    setup_->setWorkloads(names);
  });
  bind("run.baseline", [this] { sessions_->toggleBaseline(); });
}

void MainWindow::bindView() {
  bind("view.palette", [this] { palette_->popUp(); });
  bind("view.nextPane", [this] { cyclePane(1); });
  bind("view.previousPane", [this] { cyclePane(-1); });
  bind("view.editor", [this] { editor_->setFocus(); });
  constexpr std::array<std::pair<const char*, PaneId>, kPaneCount> panes{
      {{"view.setup", PaneId::setup},
       {"view.launch", PaneId::launch},
       {"view.sessions", PaneId::sessions},
       {"view.problems", PaneId::problems},
       {"view.verification", PaneId::verification},
       {"view.code", PaneId::code},
       {"view.output", PaneId::output},
       {"view.log", PaneId::log},
       {"view.timing", PaneId::timing},
       {"view.roofline", PaneId::roofline},
       {"view.sol", PaneId::sol}}};
  for (const auto& [id, pane] : panes) bind(id, [this, shown = pane] { panes_.reveal(shown); });
  bind("view.tables", [this] {
    const bool on = actions_.action(QStringLiteral("view.tables"))->isChecked();
    timing_->setTableShown(on);
    roofline_->setTableShown(on);
    sol_->setTableShown(on);
  });
  bind("view.allProblems", [this] { refreshCharts(); });

  bind("theme.light", [this] { setTheme(ThemeId::light); });
  bind("theme.dark", [this] { setTheme(ThemeId::dark); });
  bind("theme.high-contrast", [this] { setTheme(ThemeId::highContrast); });
  bind("language.en", [this] { setLanguage(QStringLiteral("en")); });
  bind("language.zh_CN", [this] { setLanguage(QStringLiteral("zh_CN")); });
  bind("layout.work", [this] { panes_.arrange(Arrangement::work); });
  bind("layout.edit", [this] { panes_.arrange(Arrangement::edit); });
  bind("layout.analyse", [this] { panes_.arrange(Arrangement::analyse); });
  bind("layout.reset", [this] { panes_.arrange(Arrangement::work); });
}

void MainWindow::bindHelp() {
  bind("help.pages", [this] { showHelp(); });
  bind("help.keys", [this] { showPage(tr("Keys and actions"), actions_.helpPage()); });
  bind("help.about", [this] {
    showPage(tr("About Ridgepoint"),
             QStringLiteral("<h2>Ridgepoint %1</h2><p>%2</p><p>%3</p><p>Qt %4 · QScintilla · QCustomPlot</p>")
                 .arg(QLatin1String(kVersion),
                      tr("A workbench for CUDA kernels: edit, compile, verify, time, and see how far a "
                         "kernel is from the speed of light."),
                      tr("Free software under the GNU General Public License, version 3 or later."),
                      QLatin1String(qVersion())));
  });
}

void MainWindow::cutCopyPaste(const char* which) {
  QWidget* focus = QApplication::focusWidget();
  if (!focus || focus->metaObject()->indexOfSlot(qPrintable(QLatin1String(which) + QStringLiteral("()"))) < 0)
    focus = editor_;
  QMetaObject::invokeMethod(focus, which);
}

void MainWindow::goToProblem(int step) {
  QTreeWidget* list = diagnostics_->list();
  const int count = list->topLevelItemCount();
  if (count == 0) return;
  const int row = list->currentItem() ? list->indexOfTopLevelItem(list->currentItem()) : (step > 0 ? -1 : 0);
  QTreeWidgetItem* item = list->topLevelItem((row + step + count) % count);
  list->setCurrentItem(item);
  emit list->itemActivated(item, 0);
}

void MainWindow::cyclePane(int step) {
  std::vector<QWidget*> stops{editor_};
  for (QDockWidget* dock : panes_.visible())
    if (QWidget* target = firstFocus(dock->widget())) stops.push_back(target);
  const QWidget* focus = QApplication::focusWidget();
  int at = 0;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const QWidget* pane = stops[i];
    while (pane->parentWidget() && !qobject_cast<const QDockWidget*>(pane) && pane != centralWidget())
      pane = pane->parentWidget();
    if (focus && (pane == focus || pane->isAncestorOf(focus))) at = static_cast<int>(i);
  }
  const int count = static_cast<int>(stops.size());
  stops[static_cast<std::size_t>((at + step + count) % count)]->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::startKernel() {
  if (setup_->problem())
    file_->newText(newKernel(*setup_->problem()), QString());
  else
    file_->newText("//@ grid: 1\n//@ block: 256\n\n__global__ void kernel() {\n}\n", QString());
}

void MainWindow::openRecent() {
  std::vector<CommandPalette::Choice> choices;
  for (const QString& file : recent_.files())
    choices.push_back({QFileInfo(file).fileName() + QStringLiteral("    ") + QFileInfo(file).path(),
                       file,
                       {},
                       QFileInfo::exists(file),
                       file});
  palette_->popUp(choices.empty() ? tr("Nothing was open before") : tr("Open a file that was open before"),
                  std::move(choices), [this](const QString& file) {
                    if (file.endsWith(QLatin1String(".ridge"), Qt::CaseInsensitive))
                      openSessions({file});
                    else
                      file_->open(file);
                  });
}

void MainWindow::goToLine() {
  palette_->ask(tr("Line of the source, 1 to %1").arg(editor_->lines()), [this](const QString& typed) {
    bool good = false;
    const int line = typed.toInt(&good);
    if (!good || line < 1) return;
    editor_->goTo(std::min(line, editor_->lines()) - 1);
    editor_->setFocus();
  });
}

void MainWindow::askForSessions() {
  openSessions(QFileDialog::getOpenFileNames(this, tr("Open sessions"), QString(), tr("Sessions (*.ridge)")));
}

void MainWindow::askToSaveSession() {
  QString file = book_.current().file;
  if (file.isEmpty()) {
    file = QFileDialog::getSaveFileName(this, tr("Save this session"), QStringLiteral("session.ridge"),
                                        tr("Sessions (*.ridge)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(QLatin1String(".ridge"))) file += QStringLiteral(".ridge");
  }
  if (const auto saved = saveSession(file); !saved) complain(sayingOf(saved.error()));
}

void MainWindow::writeReport() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Write a report"), QStringLiteral("report.html"),
                                                    tr("Report (*.html);;Table (*.csv);;Document (*.json)"));
  if (file.isEmpty()) return;
  std::vector<session::Run> runs;
  for (const OpenSession& session : book_.sessions())
    if (session.visible)
      for (const RunPtr& run : session.runs) runs.push_back(*run);
  const std::string format = file.endsWith(QLatin1String(".csv"))    ? "csv"
                             : file.endsWith(QLatin1String(".json")) ? "json"
                                                                     : "html";
  const auto text = session::export_runs(runs, format, book_.label(book_.current()).toStdString());
  const auto written = text ? write_file(file.toStdString(), *text) : Result<void>(text.error());
  if (!written) complain(sayingOf(written.error()));
}

void MainWindow::showHelp() {
  auto* dialog = new HelpDialog(actions_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();  // not modal: it can stay beside the work
}

void MainWindow::showPage(const QString& title, const QString& html) {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->setAccessibleName(title);
  auto* column = new QVBoxLayout(dialog);
  auto* page = new QTextBrowser(dialog);
  page->setAccessibleName(title);
  page->setHtml(html);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->setAccessibleName(tr("Buttons"));
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  column->addWidget(page);
  column->addWidget(buttons);
  dialog->resize(760, 620);
  dialog->show();
}

}  // namespace ridge::desktop
