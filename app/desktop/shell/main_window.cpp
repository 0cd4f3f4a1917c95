// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>
#include <utility>

#include "base/files.h"
#include "session/store.h"
#include "shell/language.h"

namespace ridge::desktop {
namespace {

const QString kFirstProblem = QStringLiteral("saxpy");  ///< the simplest one, for a first look

/// A form keeps its lines apart where the pane is low, and has room for its words beside the scroll bar.
class FormArea : public QScrollArea {
 public:
  explicit FormArea(QWidget* form) {
    setWidget(form);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  }
  QSize minimumSizeHint() const override {
    const int width = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {width, QScrollArea::minimumSizeHint().height()};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();  // other words
    return QScrollArea::eventFilter(watched, event);
  }
};

}  // namespace

MainWindow::MainWindow(Theme& theme, Language& language, const Options& options)
    : theme_(theme),
      language_(language),
      keepSettings_(options.keepSettings),
      actions_(theme, this),
      panes_(this),
      recent_(options.keepSettings) {
  setObjectName(QStringLiteral("ridgepoint"));
  resize(1600, 1000);
  setAcceptDrops(true);
  buildPanes();
  control_ = new RunControl({editor_, file_, setup_, form_, &book_, banners_}, options.worker, this);
  bindActions();
  buildMenus();
  joinPanes();
  panes_.arrange(Arrangement::work);
  retranslate();
  if (keepSettings_) restoreSettings();
  const QSignalBlocker quiet(setup_);  // what is opened first is for openAtStart
  setup_->setLibrary(QString::fromStdString(kernels_folder().string()));
}

void MainWindow::buildPanes() {
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  banners_ = new BannerArea(theme_, centre);
  editor_ = new CodeEditor(theme_, centre);
  find_ = new FindBar(editor_, centre);
  column->addWidget(banners_);
  column->addWidget(editor_, 1);
  column->addWidget(find_);
  setCentralWidget(centre);
  file_ = new SourceFile(editor_, banners_, this);

  setup_ = new RunSetup(this);
  form_ = new LaunchForm(this);
  sessions_ = new SessionsPane(theme_, book_, this);
  diagnostics_ = new DiagnosticsPane(theme_, this);
  verification_ = new VerificationPane(theme_, this);
  code_ = new CodePane(theme_, this);
  output_ = new TextPane(this);
  log_ = new TextPane(this);
  timing_ = new TimingChart(theme_, this);
  roofline_ = new RooflineChart(theme_, this);
  sol_ = new SolChart(theme_, this);
  panes_.add(PaneId::setup, "setup", new FormArea(setup_));
  panes_.add(PaneId::launch, "launch", new FormArea(form_));
  panes_.add(PaneId::sessions, "sessions", sessions_);
  panes_.add(PaneId::problems, "problems", diagnostics_);
  panes_.add(PaneId::verification, "verification", verification_);
  panes_.add(PaneId::code, "code", code_);
  panes_.add(PaneId::output, "output", output_);
  panes_.add(PaneId::log, "log", log_);
  panes_.add(PaneId::timing, "timing", timing_);
  panes_.add(PaneId::roofline, "roofline", roofline_);
  panes_.add(PaneId::sol, "sol", sol_);

  palette_ = new CommandPalette(actions_, this);
  busy_ = new Busy(this);
  place_ = new QLabel(this);
  encoding_ = new QLabel(this);
  for (QLabel* label : {place_, encoding_}) label->setContentsMargins(8, 0, 8, 0);
  statusBar()->addWidget(place_);
  statusBar()->addWidget(encoding_);
  statusBar()->addPermanentWidget(busy_);
}

void MainWindow::buildMenus() {
  for (const MenuId id : {MenuId::file, MenuId::edit, MenuId::run, MenuId::view, MenuId::help}) {
    QMenu* menu = menuBar()->addMenu(QString());
    actions_.fill(menu, id);
    menus_.emplace_back(id, menu);
    if (id != MenuId::view) continue;
    menu->addSeparator();
    for (const MenuId sub : {MenuId::theme, MenuId::language, MenuId::layout}) {
      QMenu* inner = menu->addMenu(QString());
      actions_.fill(inner, sub);
      menus_.emplace_back(sub, inner);
    }
  }
  tools_ = addToolBar(QString());
  tools_->setObjectName(QStringLiteral("tools"));
  tools_->setMovable(false);
  tools_->setIconSize({18, 18});
  tools_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  for (const char* id : {"file.open", "file.save", "", "run.run", "run.stop", "run.compile", "",
                         "session.open", "session.save"}) {
    if (*id == '\0')
      tools_->addSeparator();
    else
      tools_->addAction(actions_.action(QLatin1String(id)));
  }
  connect(sessions_->openButton(), &QToolButton::clicked, this, &MainWindow::askForSessions);
  connect(sessions_->saveButton(), &QToolButton::clicked, this, &MainWindow::askToSaveSession);
  connect(busy_->stopButton(), &QToolButton::clicked, control_, &RunControl::stop);
  auto* context = new QMenu(this);
  for (const char* id : {"edit.undo", "edit.redo", "", "edit.cut", "edit.copy", "edit.paste", "",
                         "edit.comment", "edit.find"}) {
    if (*id == '\0')
      context->addSeparator();
    else
      context->addAction(actions_.action(QLatin1String(id)));
  }
  editor_->setContextMenu(context);
  for (QAction* action : actions_.all()) addAction(action);  // shortcuts work wherever the focus is
}

void MainWindow::joinPanes() {
  joinSource();
  joinProblem();
  joinRuns();
  joinCharts();
  connect(&control_->jobs(), &Jobs::logged, log_, &TextPane::append);
}

/// The file, its text, what was made of it, and what is wrong with it.
void MainWindow::joinSource() {
  connect(file_, &SourceFile::changed, this, [this] {
    updateTitle();
    updateStatus();
  });
  connect(file_, &SourceFile::opened, this, [this] {
    if (!file_->file().isEmpty() && QFileInfo::exists(file_->file())) recent_.add(file_->file());
    problemFollowsFile();
  });
  connect(editor_, &QsciScintilla::cursorPositionChanged, this, &MainWindow::updateStatus);
  connect(diagnostics_, &DiagnosticsPane::activated, this, &MainWindow::goToPlace);
  connect(control_, &RunControl::diagnosticsChanged, this, &MainWindow::showDiagnostics);
  connect(control_, &RunControl::textChanged, this, [this] {
    diagnostics_->setStale(true);
    code_->setStale(true);
    if (const RunPtr& run = verification_->run())
      verification_->setStale(isOfTheFile(*run) && !isInEditor(*run));
    updateTitle();
  });
  joinCode();
}

/// Source and generated code, line by line in both directions.
void MainWindow::joinCode() {
  connect(editor_, &CodeView::lineChanged, this, [this](int line) { code_->showSourceLine(line + 1); });
  connect(code_, &CodePane::sourceLinePicked, this, [this](int line) {
    editor_->setLinked({line - 1});
    editor_->ensureLineVisible(line - 1);
  });
  connect(code_, &CodePane::mapChanged, this, [this] {
    std::vector<std::pair<int, int>> hues;
    for (const int line : code_->sourceLines()) hues.emplace_back(line - 1, line);
    editor_->setHues(hues);
  });
  connect(code_, &CodePane::sassWanted, this, [this] {
    const auto& last = control_->lastCompiled();
    if (last && last->kernel && !last->kernel->cubin.empty())
      control_->jobs().disassemble(last->kernel->cubin);
  });
  connect(control_, &RunControl::compiled, this, [this](const LiveResultPtr& result) {
    code_->setDisassembler(result->disassembler, result->whyNoDisassembler);
    if (result->kernel && result->kernel->ok)
      code_->setCompiled(*result->kernel, result->file);
    else
      code_->setStale(true);
  });
  connect(&control_->jobs(), &Jobs::disassembled, this, [this](const QString& sass, const Sentence& whyNot) {
    if (whyNot.empty())
      code_->setSass(sass.toStdString());
    else
      code_->setDisassembler(false, whyNot);
  });
}

void MainWindow::joinProblem() {
  connect(setup_, &RunSetup::kernelPicked, file_, &SourceFile::open);
  connect(setup_, &RunSetup::openFolderWanted, actions_.action(QStringLiteral("file.problem")),
          &QAction::trigger);
  connect(setup_, &RunSetup::problemChanged, this, [this] {
    // A newly chosen problem shows a kernel of its own, unless typed text would have to go.
    const QStringList files = following_ ? QStringList() : setup_->kernelFiles();
    if (!files.isEmpty() && !files.contains(file_->file()) && !editor_->unsaved()) {
      QString first = files.front();
      for (const QString& file : files)
        if (QFileInfo(file).fileName().contains(QLatin1String("naive"))) first = file;
      file_->open(first);
    }
    chartTimer_.start(0);
  });
}

/// From F5 to the verdict, and the sessions that hold it.
void MainWindow::joinRuns() {
  const auto setRunning = [this](bool running) {
    actions_.action(QStringLiteral("run.stop"))->setEnabled(running);
    for (const char* id : {"run.run", "run.all"}) actions_.action(QLatin1String(id))->setEnabled(!running);
  };
  connect(control_, &RunControl::started, this, [this, setRunning] {
    busy_->begin();
    setRunning(true);
  });
  connect(control_, &RunControl::finished, this, [this, setRunning] {
    busy_->end();
    setRunning(false);
  });
  connect(control_, &RunControl::runArrived, this, [this](const RunPtr& run) {
    sessions_->select(run);
    lookAt(run);
    panes_.dock(PaneId::verification)->raise();  // what the run was made for
  });
  connect(&control_->jobs(), &Jobs::progressed, busy_, &Busy::setStage);
  connect(&control_->jobs(), &Jobs::busyChanged, this,
          [this] { busy_->setCompiling(control_->jobs().compiling()); });
  connect(verification_, &VerificationPane::linePicked, this, [this](int line) { goToPlace(line, 0); });
  connect(sessions_, &SessionsPane::runPicked, this, &MainWindow::lookAt);
  connect(sessions_, &SessionsPane::sourceWanted, this, [this](const RunPtr& run) {
    file_->newText(QByteArray::fromStdString(run->source.text), QString::fromStdString(run->source.file));
  });
  connect(sessions_, &SessionsPane::failed, this, &MainWindow::complain);
}

void MainWindow::joinCharts() {
  connect(&book_, &RunBook::changed, this, [this] { chartTimer_.start(0); });
  chartTimer_.setSingleShot(true);
  connect(&chartTimer_, &QTimer::timeout, this, &MainWindow::refreshCharts);
  for (ChartPane* chart : {static_cast<ChartPane*>(timing_), static_cast<ChartPane*>(roofline_),
                           static_cast<ChartPane*>(sol_)}) {
    connect(chart, &ChartPane::runPicked, this, &MainWindow::lookAt);
    connect(chart, &ChartPane::failed, this, &MainWindow::complain);
  }
}

/// Of runs, sessions and charts.
void MainWindow::complain(const Saying& what) {
  banners_->raiseBanner(QStringLiteral("session"), Banner::Kind::error, what);
}

/// A line and a column as compilers count them.
void MainWindow::goToPlace(int line, int column) {
  if (line <= 0) return;
  const QByteArray text = editor_->text(line - 1).toUtf8();
  editor_->goTo(line - 1, letterOfColumn(editor_->document(), text, std::max(1, column)));
  editor_->setFocus();
}

void MainWindow::openAtStart(const Options& options) {
  if (!options.device.isEmpty()) setup_->setDevice(options.device);
  if (!options.problem.isEmpty() && !chooseProblem(options.problem))
    banners_->raiseBanner(QStringLiteral("problem"), Banner::Kind::error, [name = options.problem] {
      return tr("There is no problem “%1” in the library, and no folder of that name with a problem.toml.")
          .arg(name);
    });
  else if (options.problem.isEmpty() && options.file.isEmpty())
    chooseProblem(kFirstProblem);
  if (!options.file.isEmpty())
    file_->open(options.file);
  else
    emit setup_->problemChanged();  // opens the problem's first kernel
  if (!options.sessions.isEmpty()) openSessions(options.sessions);
  editor_->setFocus();
  control_->jobs().probe(setup_->device(), setup_->model());
}

bool MainWindow::chooseProblem(const QString& nameOrFolder) {
  return setup_->setProblem(nameOrFolder);
}

void MainWindow::problemFollowsFile() {
  const QString file = file_->file();
  setup_->setKernelFile(file);
  const QScopedValueRollback follow(following_, true);
  const QString folder = QFileInfo(file).absolutePath();
  if (QFileInfo::exists(folder + QStringLiteral("/problem.toml"))) {
    setup_->setProblem(folder);
  } else if (auto parsed = source::parse_source(editor_->bytes().toStdString(), file.toStdString());
             parsed && parsed->directives.problem.given()) {
    setup_->setProblem(QString::fromStdString(parsed->directives.problem.text));
  }
  setup_->setKernelFile(file);
  if (control_) control_->compileNow();
}

void MainWindow::showDiagnostics() {
  const Diagnostics all = control_->diagnostics();
  diagnostics_->setDiagnostics(all, control_->questions());
  Diagnostics here;
  const QString name = file_->displayName();
  for (const Diagnostic& d : all)
    if (d.line > 0 &&
        (d.file.empty() || QFileInfo(QString::fromStdString(d.file)).fileName().startsWith(name)))
      here.push_back(d);
  editor_->setDiagnostics(here);
  // Odd blanks look like ordinary ones, so the compiler's words help nobody.
  const auto odd = oddBlanks(editor_->bytes());
  const bool atFault = std::any_of(odd.begin(), odd.end(), [&](const OddBlank& blank) {
    return std::any_of(here.begin(), here.end(), [&](const Diagnostic& d) {
      return d.severity == Severity::error && d.line == blank.line;
    });
  });
  if (atFault)
    banners_->raiseBanner(
        QStringLiteral("blanks"), Banner::Kind::warning,
        [first = odd.front()] {
          return tr("Line %1 holds blanks that are none (U+%2 in column %3), as pasted from a web page.")
              .arg(first.line)
              .arg(static_cast<uint>(first.letter), 4, 16, QLatin1Char('0'))
              .arg(first.column);
        },
        {},
        {{[] { return tr("Replace them"); },
          [this] { actions_.action(QStringLiteral("edit.blanks"))->trigger(); }}});
  else
    banners_->lower(QStringLiteral("blanks"));
}

void MainWindow::lookAt(const RunPtr& run) {
  verification_->setRun(run);
  verification_->setStale(isOfTheFile(*run) && !isInEditor(*run));
  showOutput();
}

void MainWindow::showOutput() {
  if (const RunPtr& run = verification_->run())
    output_->setWhole(run->output.empty() ? tr("This run printed nothing.")
                                          : QString::fromStdString(run->output));
}

/// Kernels of different problems share file names.
bool MainWindow::isOfTheFile(const session::Run& run) const {
  return QFileInfo(QString::fromStdString(run.source.file)).fileName() == file_->displayName() &&
         setup_->problem() && setup_->problem()->name == run.problem;
}

bool MainWindow::isInEditor(const session::Run& run) const {
  const auto bytes = editor_->fileBytes();
  const auto parsed =
      source::parse_source(bytes ? bytes->toStdString() : editor_->bytes().toStdString(), run.source.file);
  return parsed && parsed->text == run.source.text;
}

void MainWindow::refreshCharts() {
  const bool all = actions_.action(QStringLiteral("view.allProblems"))->isChecked();
  const QString problem = setup_->problem() ? QString::fromStdString(setup_->problem()->name) : QString();
  const ChartData drawn = chartData(book_, all ? QString() : problem);
  timing_->setData(drawn);
  roofline_->setData(drawn);
  sol_->setData(drawn);
}

bool MainWindow::openSessions(const QStringList& files) {
  bool good = true;
  for (const QString& file : files) {
    Diagnostics leftOut;
    if (const auto opened = book_.open(QFileInfo(file).absoluteFilePath(), &leftOut); !opened) {
      good = false;
      banners_->raiseBanner(QStringLiteral("open ") + file, Banner::Kind::error, sayingOf(opened.error()));
    } else {
      recent_.add(file);
    }
    if (leftOut.empty()) continue;
    const auto said = [leftOut] {
      QStringList sentences;
      for (const Diagnostic& d : leftOut) sentences << words(join(d.message, d.hint));
      return sentences;
    };
    banners_->raiseBanner(
        QStringLiteral("left out of ") + file, Banner::Kind::warning, [said] { return said().front(); },
        [said] { return said().mid(1).join(QLatin1Char('\n')); });
  }
  return good;
}

Result<void> MainWindow::saveSession(const QString& file) {
  return book_.save(QFileInfo(file).absoluteFilePath(), windowState());
}

Json MainWindow::windowState() const {
  Json state = Json::object();
  state["problem"] = setup_->problem() ? setup_->problem()->name : "";
  state["workloads"] = Json::array();
  for (const QString& name : setup_->workloads()) state["workloads"].push_back(name.toStdString());
  state["file"] = file_->file().toStdString();
  state["layout"] = encode_base64(panes_.state().toStdString());
  return state;
}

void MainWindow::setTheme(ThemeId theme) {
  theme_.setCurrent(theme);
  for (const ThemeId id : themes())
    actions_.action(QStringLiteral("theme.") + nameOf(id))->setChecked(id == theme);
}

void MainWindow::setLanguage(const QString& name) {
  language_.setCurrent(name);
  for (const QString& each : Language::available())
    actions_.action(QStringLiteral("language.") + each)->setChecked(each == language_.current());
}

void MainWindow::updateTitle() {
  setWindowTitle(QStringLiteral("%1[*] — Ridgepoint").arg(file_->displayName()));
  setWindowModified(editor_->unsaved());
}

void MainWindow::updateStatus() {
  int line = 0, column = 0;
  editor_->getCursorPosition(&line, &column);
  place_->setText(tr("Line %1, column %2").arg(line + 1).arg(column + 1));
  encoding_->setText(file_->encodingText());
}

void MainWindow::retranslate() {
  actions_.retranslate();
  for (const auto& [id, menu] : menus_) menu->setTitle(ActionRegistry::menuTitle(id));
  const std::array<QString, kPaneCount> titles{tr("Run setup"), tr("Launch"),        tr("Sessions"),
                                               tr("Problems"),  tr("Verification"),  tr("Generated code"),
                                               tr("Output"),    tr("Log"),           tr("Timing"),
                                               tr("Roofline"),  tr("Speed of light")};
  for (std::size_t i = 0; i < titles.size(); ++i) {
    QDockWidget* dock = panes_.dock(static_cast<PaneId>(i));
    dock->setWindowTitle(titles[i]);
    dock->setAccessibleName(titles[i]);
    if (auto* button = dock->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_floatbutton")))
      button->setAccessibleName(tr("Float %1").arg(titles[i]));
    if (auto* button = dock->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton")))
      button->setAccessibleName(tr("Close %1").arg(titles[i]));
  }
  setAccessibleName(QStringLiteral("Ridgepoint"));
  centralWidget()->setAccessibleName(tr("Source"));
  banners_->setAccessibleName(tr("Messages"));
  editor_->setAccessibleName(tr("Source editor"));
  output_->setAccessibleName(tr("What the kernel prints"));
  output_->setPlaceholderText(tr("What a kernel prints with printf appears here after its run."));
  log_->setAccessibleName(tr("Log of the workers"));
  log_->setPlaceholderText(tr("What the worker processes say appears here."));
  place_->setAccessibleName(tr("Place in the source"));
  encoding_->setAccessibleName(tr("Encoding of the source"));
  tools_->setWindowTitle(tr("Tools"));
  tools_->setAccessibleName(tr("Tools"));
  menuBar()->setAccessibleName(tr("Menu bar"));
  statusBar()->setAccessibleName(tr("Status"));
  showOutput();
  updateTitle();
  updateStatus();
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    if (control_) showDiagnostics();
  }
  QMainWindow::changeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event) {
  // The panes' shares suit the size that the window really has, which is only known now.
  if (!std::exchange(arranged_, true)) panes_.arrange(Arrangement::work);
  QMainWindow::showEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  sessions_->storeNotes();
  if (!file_->mayLeave() || !mayLeaveRuns()) {
    event->ignore();
    return;
  }
  if (keepSettings_) saveSettings();
  event->accept();
}

bool MainWindow::mayLeaveRuns() {
  book_.settle();
  if (!keepSettings_ || book_.unsaved() == 0) return true;
  QMessageBox box(QMessageBox::Warning, tr("Runs that are not saved"),
                  tr("%n run(s) of this session are not saved.", nullptr, book_.unsaved()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      askToSaveSession();
      return book_.unsaved() == 0;
    case QMessageBox::Discard:
      return true;
    default:
      return false;
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    const QString file = url.toLocalFile();
    if (file.endsWith(QLatin1String(".ridge"), Qt::CaseInsensitive))
      openSessions({file});
    else if (QFileInfo(file).isDir())
      chooseProblem(file);
    else if (!file.isEmpty())
      file_->open(file);
  }
}

void MainWindow::saveSettings() {
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/layout"), panes_.state());
  settings.setValue(QStringLiteral("theme"), nameOf(theme_.current()));
  settings.setValue(QStringLiteral("language"), language_.current());
  settings.setValue(QStringLiteral("live"), control_->live());
}

void MainWindow::restoreSettings() {
  const QSettings settings;
  restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  const QByteArray layout = settings.value(QStringLiteral("window/layout")).toByteArray();
  arranged_ = !layout.isEmpty() && panes_.restore(layout);
  const bool live = settings.value(QStringLiteral("live"), true).toBool();
  control_->setLive(live);
  actions_.action(QStringLiteral("run.live"))->setChecked(live);
}

}  // namespace ridge::desktop
