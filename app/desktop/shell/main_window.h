// SPDX-License-Identifier: GPL-3.0-or-later
// The window: builds the panes, joins them, and binds each action of the table to what it does.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <map>

#include "actions/command_palette.h"
#include "actions/registry.h"
#include "charts/roofline_chart.h"
#include "charts/sol_chart.h"
#include "charts/timing_chart.h"
#include "code/code_pane.h"
#include "editor/diagnostics_pane.h"
#include "editor/find_bar.h"
#include "sessions/sessions_pane.h"
#include "shell/banner.h"
#include "shell/busy.h"
#include "shell/language.h"
#include "shell/layout.h"
#include "shell/options.h"
#include "shell/recent_files.h"
#include "shell/run_control.h"
#include "shell/text_pane.h"
#include "verification/verification_pane.h"

namespace ridge::desktop {

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(Theme& theme, Language& language, const Options& options);

  /// Opens what the command line names, or the library's first problem.
  void openAtStart(const Options& options);
  bool chooseProblem(const QString& nameOrFolder);
  bool openSessions(const QStringList& files);
  Result<void> saveSession(const QString& file);
  void setTheme(ThemeId theme);
  void setLanguage(const QString& name);

  ActionRegistry& actions() { return actions_; }
  RunBook& book() { return book_; }
  RunControl& control() { return *control_; }
  RunSetup& setup() { return *setup_; }
  CodeEditor& editor() { return *editor_; }
  SourceFile& sourceFile() { return *file_; }
  LaunchForm& launchForm() { return *form_; }
  DiagnosticsPane& diagnosticsPane() { return *diagnostics_; }
  VerificationPane& verification() { return *verification_; }
  CodePane& codePane() { return *code_; }
  SessionsPane& sessionsPane() { return *sessions_; }
  BannerArea& banners() { return *banners_; }
  Layout& panes() { return panes_; }
  CommandPalette& palette() { return *palette_; }
  TimingChart& timing() { return *timing_; }
  RooflineChart& roofline() { return *roofline_; }
  SolChart& sol() { return *sol_; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void buildPanes();
  void buildMenus();
  void joinPanes();
  void joinSource();
  void joinCode();
  void joinProblem();
  void joinRuns();
  void joinCharts();
  void bindActions();
  void bindFiles();
  void bindEditing();
  void bindRuns();
  void bindView();
  void bindHelp();
  void bind(const char* id, std::function<void()> handler) { handlers_[id] = std::move(handler); }
  void retranslate();
  void updateTitle();
  void updateStatus();
  void refreshCharts();
  void lookAt(const RunPtr& run);
  void showOutput();
  void complain(const Saying& what);
  void goToPlace(int line, int column);
  bool isOfTheFile(const session::Run& run) const;
  bool isInEditor(const session::Run& run) const;
  bool mayLeaveRuns();
  void problemFollowsFile();
  void showDiagnostics();
  void goToProblem(int step);
  void cyclePane(int step);
  void cutCopyPaste(const char* which);
  void openRecent();
  void goToLine();
  void startKernel();
  void askForSessions();
  void askToSaveSession();
  void writeReport();
  void showPage(const QString& title, const QString& html);
  void showHelp();
  Json windowState() const;
  void saveSettings();
  void restoreSettings();

  Theme& theme_;
  Language& language_;
  bool keepSettings_;
  ActionRegistry actions_;
  RunBook book_;
  Layout panes_;
  RecentFiles recent_;
  bool arranged_ = false;   ///< by an earlier session, or for the size that the window was first shown with
  bool following_ = false;  ///< a file is opened and takes its problem along
  std::map<std::string, std::function<void()>> handlers_;
  CodeEditor* editor_ = nullptr;
  FindBar* find_ = nullptr;
  BannerArea* banners_ = nullptr;
  SourceFile* file_ = nullptr;
  RunSetup* setup_ = nullptr;
  LaunchForm* form_ = nullptr;
  SessionsPane* sessions_ = nullptr;
  DiagnosticsPane* diagnostics_ = nullptr;
  VerificationPane* verification_ = nullptr;
  CodePane* code_ = nullptr;
  TextPane* output_ = nullptr;
  TextPane* log_ = nullptr;
  TimingChart* timing_ = nullptr;
  RooflineChart* roofline_ = nullptr;
  SolChart* sol_ = nullptr;
  CommandPalette* palette_ = nullptr;
  RunControl* control_ = nullptr;
  Busy* busy_ = nullptr;
  QLabel* place_ = nullptr;
  QLabel* encoding_ = nullptr;
  QToolBar* tools_ = nullptr;
  std::vector<std::pair<MenuId, QMenu*>> menus_;
  QTimer chartTimer_;
};

}  // namespace ridge::desktop
