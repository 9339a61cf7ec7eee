import threading
import time

import pytest
from PySide6.QtCore import QThread

from tests.zbm_gui.waiting import settle, until
from zbm_core.errors import Cancelled, CancelToken, ZbmError
from zbm_gui.lanes import UNEXPECTED, Job, Lane


@pytest.fixture
def lane(app):
    lane = Lane("test")
    yield lane
    lane.close()
    assert lane.wait_until(time.monotonic() + 5)


def test_work_happens_elsewhere_and_its_answer_arrives_here(lane):
    seen = {}

    def work(token):
        seen["work"] = QThread.currentThread()
        return 42

    def done(value):
        seen["done"] = (value, QThread.currentThread())

    lane.submit(Job("a", work, done))
    until(lambda: "done" in seen)
    assert seen["work"] is lane
    assert seen["done"] == (42, lane.thread())
    assert not lane.busy


def test_jobs_run_in_order(lane):
    answers = []
    for number in range(5):
        lane.submit(Job("n", lambda token, number=number: number, answers.append))
    until(lambda: len(answers) == 5)
    assert answers == [0, 1, 2, 3, 4]


def test_a_job_cancelled_while_waiting_never_starts(lane):
    gate, started = threading.Event(), []
    lane.submit(Job("first", lambda token: gate.wait(5)))
    second = lane.submit(Job("second", lambda token: started.append("second")))
    second.token.cancel()
    third = []
    lane.submit(Job("third", lambda token: "third", third.append))
    gate.set()
    until(lambda: third)
    assert started == []


def test_the_answer_of_a_job_cancelled_meanwhile_is_dropped(lane):
    gate, answers = threading.Event(), []
    job = lane.submit(Job("a", lambda token: gate.wait(5), answers.append, answers.append))
    job.token.cancel()
    gate.set()
    after = []
    lane.submit(Job("b", lambda token: 1, after.append))
    until(lambda: after)
    assert answers == []


def test_cancelled_is_no_failure(lane):
    failures = []

    def work(token: CancelToken):
        raise Cancelled

    lane.submit(Job("a", work, failed=failures.append))
    until(lambda: not lane.busy)
    assert failures == []


def test_an_error_of_the_core_arrives_in_its_words(lane):
    failures = []

    def work(token):
        raise ZbmError("The index cannot be read.", "disk I/O error")

    lane.submit(Job("a", work, failed=failures.append))
    until(lambda: failures)
    assert (failures[0].message, failures[0].detail) == ("The index cannot be read.", "disk I/O error")


@pytest.mark.expects_log("unforeseen error")
def test_an_unforeseen_error_is_logged_and_put_into_words(lane):
    failures = []
    lane.submit(Job("a", lambda token: 1 / 0, failed=failures.append))
    until(lambda: failures)
    assert failures[0].message == UNEXPECTED
    assert "ZeroDivisionError" in failures[0].detail


def test_messages_come_before_the_answer_and_not_after_cancelling(lane):
    heard = []

    def work(token):
        lane.tell(job, lambda: heard.append("on the way"))
        return "arrived"

    job = Job("a", work, heard.append)
    lane.submit(job)
    until(lambda: len(heard) == 2)
    assert heard == ["on the way", "arrived"]


def test_a_closed_lane_delivers_nothing(app):
    lane, heard, gate = Lane("test"), [], threading.Event()
    lane.submit(Job("a", lambda token: gate.wait(5), heard.append))
    lane.close()
    gate.set()
    assert lane.wait_until(time.monotonic() + 5)
    settle()
    assert heard == []
    assert lane.submit(Job("b", lambda token: 1, heard.append)).token.cancelled
