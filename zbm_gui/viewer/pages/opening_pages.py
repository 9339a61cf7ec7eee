"""What a reader shows in place of a document that does not open: why, or the question for its password."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from zbm_gui.states import State
from zbm_gui.widgets.state_page import StatePage

from .document import Problem
from .password_page import PasswordPage
from .problems import state_of


class OpeningPages(QStackedWidget):
    """Signals:
    act_requested(Act)
    password_given(str)
    """

    act_requested = Signal(object)
    password_given = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.password = StatePage(), PasswordPage()
        self.addWidget(self.problem)
        self.addWidget(self.password)
        self.problem.act_requested.connect(lambda act, _state: self.act_requested.emit(act))
        self.password.act_requested.connect(self.act_requested)
        self.password.given.connect(self.password_given)

    def show_problem(self, problem: Problem, title: str, *, tried: bool) -> State:
        """Say why the document called *title* does not open; the state whose words are shown.

        Args:
            tried: a password was just given by the user.
        """
        state = state_of(problem)
        if problem is Problem.PASSWORD:
            self.setCurrentWidget(self.password)
            self.password.ask(title, wrong=tried)
            self.setFocusProxy(self.password)
        else:
            self.problem.show_state(state)
            self.setCurrentWidget(self.problem)
            self.setFocusProxy(self.problem)
        return state
