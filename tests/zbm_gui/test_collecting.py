"""Where Python's garbage is collected while there is a window."""

import gc
import threading

from PySide6.QtCore import QCoreApplication, QEvent, QObject

from tests.zbm_gui.waiting import until
from zbm_gui.collecting import THRESHOLDS, Collector


def test_what_lies_in_a_cycle_is_deleted_in_the_windows_thread(app):
    deleted_in = set()

    class Cycle:
        def __init__(self):
            self.itself = self

        def __del__(self):
            deleted_in.add(threading.get_ident())

    def make():
        for _ in range(20 * THRESHOLDS[0]):  # Python by itself would have collected twenty times
            Cycle()

    owner = QObject()
    Collector(owner)
    worker = threading.Thread(target=make)
    worker.start()
    worker.join()
    assert not deleted_in
    until(lambda: deleted_in)
    assert deleted_in == {threading.get_ident()}

    owner.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert gc.isenabled()
