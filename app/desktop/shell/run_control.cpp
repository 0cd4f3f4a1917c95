// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/run_control.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <chrono>

#include "shell/language.h"

namespace ridge::desktop {
namespace {

using namespace std::chrono_literals;
constexpr auto kDebounce = 300ms;
const QString kRunKey = QStringLiteral("run"), kWorkerKey = QStringLiteral("worker"),
              kCompileKey = QStringLiteral("compile");

}  // namespace

RunControl::RunControl(Parts parts, worker::Launch launch, QObject* parent)
    : QObject(parent), p_(parts), jobs_(std::move(launch)) {
  debounce_.setSingleShot(true);
  debounce_.setInterval(kDebounce);
  connect(&debounce_, &QTimer::timeout, this, &RunControl::compileNow);
  connect(p_.editor, &CodeEditor::edited, this, &RunControl::edited);
  connect(p_.setup, &RunSetup::deviceChanged, this, [this] {
    jobs_.probe(p_.setup->device(), p_.setup->model());
    if (live_) debounce_.start();
  });
  connect(p_.setup, &RunSetup::problemChanged, this, &RunControl::diagnosticsChanged);
  connect(p_.form, &LaunchForm::edited, this,
          [this](int launchIndex, const QString& key, const QString& value) {
            const QByteArray text = p_.editor->bytes();
            p_.editor->replaceText(QByteArray::fromStdString(source::with_directive(
                std::string_view(text.constData(), static_cast<std::size_t>(text.size())),
                static_cast<std::size_t>(launchIndex), key.toStdString(), value.toStdString())));
          });
  connect(&jobs_, &Jobs::diagnosed, this, &RunControl::takeDiagnosed);
  connect(&jobs_, &Jobs::compiled, this, &RunControl::takeCompiled);
  connect(&jobs_, &Jobs::capabilitiesKnown, this,
          [this](const CapabilitiesPtr& c) { p_.setup->setCapabilities(*c); });
  connect(&jobs_, &Jobs::runFinished, this, [this](const RunPtr& run) {
    p_.book->add(run);
    keepFindings(*run);
    emit runArrived(run);
  });
  connect(p_.book, &RunBook::notKept, this, [this](const Error& why) {
    p_.banners->raiseBanner(QStringLiteral("session"), Banner::Kind::error, [why] {
      return tr("What is shown here could not be written to the session file: %1").arg(words(why));
    });
  });
  connect(&jobs_, &Jobs::ended, this, &RunControl::takeEnd);
  connect(&jobs_, &Jobs::workerDied, this, [this](const Error& why) {
    p_.banners->raiseBanner(kWorkerKey, Banner::Kind::error,
                            [] {
                              return tr(
                                  "A worker process ended unexpectedly. The text, the session and the window "
                                  "are untouched; run again to start a fresh worker.");
                            },
                            sayingOf(why), {{[] { return tr("Run again"); }, [this] { run(); }}});
  });
}

/// As diagnostics, if the text is still what was run.
void RunControl::keepFindings(const session::Run& run) {
  if (p_.editor->bytes() != textOfRun_) return;
  for (const hardware::Finding& finding : run.verdict.findings)
    if (finding.line > 0 &&
        QFileInfo(QString::fromStdString(finding.file)).fileName() == p_.file->displayName())
      runDiagnostics_.push_back({Severity::error,
                                 finding.file,
                                 finding.line,
                                 0,
                                 std::string(hardware::name_of(finding.status)),
                                 finding.message,
                                 {}});
  emit diagnosticsChanged();
}

void RunControl::complain(Saying what) {
  p_.banners->raiseBanner(kRunKey, Banner::Kind::error, std::move(what));
}

std::string RunControl::textToCompile() const {
  const auto bytes =
      p_.editor->fileBytes();  // a letter that the charset lacks is for saving to complain about
  return bytes ? bytes->toStdString() : p_.editor->bytes().toStdString();
}

void RunControl::edited() {
  if (!runDiagnostics_.empty() && p_.editor->bytes() != textOfRun_) {
    runDiagnostics_.clear();
    emit diagnosticsChanged();
  }
  emit textChanged();
  if (live_) debounce_.start();
}

void RunControl::setLive(bool live) {
  live_ = live;
  if (live_)
    compileNow();
  else
    debounce_.stop();
}

void RunControl::compileNow() {
  debounce_.stop();
  const QString file =
      p_.file->file().isEmpty() ? p_.file->displayName() + QStringLiteral(".cu") : p_.file->file();
  jobs_.compileLive(textToCompile(), file.toStdString(), p_.setup->arch());
}

void RunControl::takeDiagnosed(const LiveResultPtr& result) {
  lastDiagnosed_ = result;
  questions_ = result->prepared.questions;
  p_.form->setSource(result->source, result->prepared);
  emit diagnosed(result);
  emit diagnosticsChanged();
}

void RunControl::takeCompiled(const LiveResultPtr& result) {
  lastCompiled_ = result;
  if (result->failure)
    p_.banners->raiseBanner(kCompileKey, Banner::Kind::error, [why = *result->failure] {
      return tr("The source could not be compiled: %1").arg(words(why));
    });
  else
    p_.banners->lower(kCompileKey);
  takeDiagnosed(result);
  emit compiled(result);
}

Diagnostics RunControl::diagnostics() const {
  Diagnostics all;
  if (lastDiagnosed_) all = lastDiagnosed_->diagnostics;
  all.insert(all.end(), runDiagnostics_.begin(), runDiagnostics_.end());
  // The problem file's lines are not the source's: they are told by name, without a place in the editor.
  for (Diagnostic d : p_.setup->diagnostics()) {
    d.message = say("{}:{}: {}", d.file, d.line, d.message);
    d.line = d.column = 0;
    all.push_back(std::move(d));
  }
  return all;
}

bool RunControl::submit(const std::string& bytes, const QString& file) {
  const auto refuse = [this](Saying why) {
    complain(std::move(why));
    return false;
  };
  auto source = source::parse_source(bytes, file.toStdString());
  if (!source) return refuse(sayingOf(source.error()));
  if (!p_.setup->problem())
    return refuse([] {
      return tr(
          "There is no problem to run the kernel against. Choose one under Run setup, or write //@ "
          "problem: NAME.");
    });
  const QStringList workloads = p_.setup->workloads();
  if (workloads.isEmpty())
    return refuse([] { return tr("No workload is chosen. Tick at least one under Run setup."); });
  RunRequest request;
  request.request.source = std::move(*source);
  request.request.problem = *p_.setup->problem();
  for (const QString& name : workloads) request.request.workloads.push_back(name.toStdString());
  request.options.counters = memoryModel_;
  request.options.model = p_.setup->model().toStdString();
  request.device = p_.setup->device().toStdString();
  request.model = request.options.model;
  request.baselines = p_.book->baselines();
  jobs_.run(std::move(request));
  return true;
}

void RunControl::run() {
  if (busy()) return;
  p_.banners->lower(kRunKey);
  p_.banners->lower(kWorkerKey);
  runDiagnostics_.clear();
  textOfRun_ = p_.editor->bytes();
  const QString file =
      p_.file->file().isEmpty() ? p_.file->displayName() + QStringLiteral(".cu") : p_.file->file();
  if (submit(textToCompile(), file)) emit started();
}

void RunControl::runAllKernels() {
  if (busy()) return;
  p_.banners->lower(kRunKey);
  p_.banners->lower(kWorkerKey);
  runDiagnostics_.clear();
  queue_ = p_.setup->kernelFiles();
  if (queue_.isEmpty()) {
    complain([] { return tr("The problem has no kernels to run."); });
    emit finished();
    return;
  }
  emit started();
  next();
}

void RunControl::next() {
  while (!queue_.isEmpty()) {
    const QString file = queue_.takeFirst();
    // The kernel in the editor runs as it is typed, the others as they are saved.
    const bool open = QDir::cleanPath(file) == QDir::cleanPath(p_.file->file());
    textOfRun_ = open ? p_.editor->bytes() : QByteArray();
    if (open) {
      if (submit(textToCompile(), file)) return;
    } else {
      QFile in(file);
      if (!in.open(QIODevice::ReadOnly))
        complain([file, why = in.errorString()] { return tr("%1 could not be read: %2.").arg(file, why); });
      else if (submit(in.readAll().toStdString(), file))
        return;
    }
  }
  emit finished();
}

void RunControl::takeEnd(const RunEndPtr& end) {
  if (end->stopped) {
    queue_.clear();
    p_.banners->raiseBanner(kRunKey, Banner::Kind::note, [runs = end->finished] {
      return tr("Stopped. %n run(s) finished before.", nullptr, runs);
    });
  } else if (end->failure) {
    queue_.clear();
    if (!worker::lost_worker(*end->failure)) complain(sayingOf(*end->failure));  // workerDied() told of that
  } else if (!end->questions.empty()) {
    const source::Question& first = end->questions.front();
    questions_ = end->questions;
    p_.banners->raiseBanner(kRunKey, Banner::Kind::warning, [first] {
      const QString text = words(first.text);
      return first.answer_with.empty()
                 ? text
                 : text + QLatin1Char(' ') + tr("Answer with %1").arg(words(first.answer_with));
    });
  } else if (has_errors(end->diagnostics) && end->finished == 0) {
    for (const Diagnostic& d : end->diagnostics)
      if (d.severity == Severity::error) {
        complain(sayingOf(d));
        break;
      }
  }
  if (!textOfRun_.isNull() && textOfRun_ == p_.editor->bytes())
    for (const Diagnostic& d : end->diagnostics)
      if (lastCompiled_ && std::none_of(lastCompiled_->diagnostics.begin(), lastCompiled_->diagnostics.end(),
                                        [&](const Diagnostic& known) {
                                          return known.line == d.line && known.message == d.message;
                                        }))
        runDiagnostics_.push_back(d);
  emit diagnosticsChanged();
  next();
}

void RunControl::stop() {
  queue_.clear();
  jobs_.stop();
}

}  // namespace ridge::desktop
