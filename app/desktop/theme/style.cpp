// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace ridge::desktop {

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

/// Around a control; of another colour and twice as thick where the keyboard is.
void Style::outline(QPainter* painter, const QStyleOption* option) const {
  const bool focused = option->state.testFlag(State_HasFocus) && option->state.testFlag(State_Enabled);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  painter->setPen(QPen(colourOf(focused ? Role::focus : Role::outline), focused ? 2 : 1));
  const double inset = focused ? 1 : 0.5;
  painter->drawRoundedRect(QRectF(option->rect).adjusted(inset, inset, -inset, -inset), 2, 2);
  painter->restore();
}

void Style::checkBox(const QStyleOption* option, QPainter* painter) const {
  const bool enabled = option->state.testFlag(State_Enabled);
  const QRectF box = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(colourOf(enabled ? Role::outline : Role::disabledText), 1));
  painter->setBrush(colourOf(enabled ? Role::base : Role::window));
  painter->drawRoundedRect(box, 2, 2);
  painter->setPen(QPen(colourOf(enabled ? Role::text : Role::disabledText), std::max(1.5, box.width() / 7),
                       Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const auto at = [&](double x, double y) {
    return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
  };
  if (option->state.testFlag(State_On))
    painter->drawPolyline(QPolygonF{at(.22, .52), at(.43, .74), at(.78, .28)});
  if (option->state.testFlag(State_NoChange)) painter->drawLine(at(.25, .5), at(.75, .5));
  painter->restore();
}

/// Closes a pane, or makes it float.
void Style::paneButton(const QStyleOption* option, QPainter* painter, bool closes) const {
  const bool pointedAt = option->state.testFlag(State_MouseOver) && option->state.testFlag(State_Enabled);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (pointedAt) painter->fillRect(option->rect, colourOf(Role::highlight));
  painter->setPen(QPen(colourOf(pointedAt ? Role::highlightedText : Role::windowText), 1.2));
  constexpr double kSize = 8;
  const QPointF centre = QRectF(option->rect).center();
  const QRectF mark(centre.x() - kSize / 2, centre.y() - kSize / 2, kSize, kSize);
  if (closes) {
    painter->drawLine(mark.topLeft(), mark.bottomRight());
    painter->drawLine(mark.bottomLeft(), mark.topRight());
  } else {
    painter->drawRect(mark);
    painter->drawLine(QPointF(mark.left(), mark.top() + 1.5), QPointF(mark.right(), mark.top() + 1.5));
  }
  painter->restore();
}

/// What panes are resized by.
void Style::grip(const QStyleOption* option, QPainter* painter) const {
  constexpr int kDots = 6, kStep = 4, kDot = 2;
  const QPoint centre = option->rect.center();
  const bool wide = option->rect.width() > option->rect.height();
  for (int i = 0; i < kDots; ++i) {
    const int along = i * kStep - kDots * kStep / 2;
    painter->fillRect(QRect(centre + (wide ? QPoint(along, 0) : QPoint(0, along)), QSize(kDot, kDot)),
                      colourOf(Role::outline));
  }
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  switch (element) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      checkBox(option, painter);
      return;
    case PE_FrameFocusRect:
      painter->save();
      painter->setBrush(Qt::NoBrush);
      painter->setPen(QPen(colourOf(Role::focus), 1));
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      painter->restore();
      return;
    case PE_Frame:
    case PE_FrameLineEdit:
      outline(painter, option);
      return;
    case PE_PanelButtonCommand:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
      outline(painter, option);
      return;
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
      element == CE_MenuItem && item && item->menuItemType == QStyleOptionMenuItem::Separator) {
    constexpr int kMargin = 5;
    painter->fillRect(
        QRect(item->rect.left() + kMargin, item->rect.center().y(), item->rect.width() - 2 * kMargin, 1),
        colourOf(Role::outline));
    return;
  }
  if (element == CE_Splitter) return grip(option, painter);
  QProxyStyle::drawControl(element, option, painter, widget);
  if (element == CE_HeaderSection)
    painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                      colourOf(Role::border));
  if (element == CE_DockWidgetTitle) {
    painter->setPen(colourOf(Role::border));
    painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
  }
  if (element == CE_TabBarTabShape) {
    const bool chosen = option->state.testFlag(State_Selected);
    QRect edge = option->rect.adjusted(0, chosen ? 0 : 2, -1, 0);
    painter->setPen(colourOf(Role::border));
    painter->drawLine(edge.topLeft(), edge.bottomLeft());
    painter->drawLine(edge.topRight(), edge.bottomRight());
    painter->drawLine(edge.topLeft(), edge.topRight());
    if (chosen) painter->fillRect(QRect(edge.left(), edge.top(), edge.width() + 1, 2), colourOf(Role::focus));
  }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  // Beside each other five panes' names fit below an editor of a small window.
  return metric == PM_TabBarTabHSpace ? 16 : QProxyStyle::pixelMetric(metric, option, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  if (control == CC_ToolButton && widget) {
    const QString name = widget->objectName();
    const bool closes = name == QLatin1String("qt_dockwidget_closebutton");
    if (closes || name == QLatin1String("qt_dockwidget_floatbutton"))
      return paneButton(option, painter, closes);
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  if (control == CC_ComboBox || control == CC_SpinBox) outline(painter, option);
  if (control == CC_ScrollBar && option->state.testFlag(State_Enabled)) {
    QStyleOption slider;
    slider.rect = subControlRect(control, option, SC_ScrollBarSlider, widget).adjusted(1, 1, -1, -1);
    outline(painter, &slider);
  }
}

}  // namespace ridge::desktop
