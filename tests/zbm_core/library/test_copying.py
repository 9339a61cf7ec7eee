import pytest

from zbm_core.errors import Cancelled, CancelToken
from zbm_core.library.copying import copy_file


def test_copies_bytes_and_reports(tmp_path):
    content = bytes(range(256)) * 90_000
    (tmp_path / "a").write_bytes(content)
    told = []
    copy_file(tmp_path / "a", tmp_path / "b", on_bytes=told.append)
    assert (tmp_path / "b").read_bytes() == content
    assert not told or (told == sorted(set(told)) and told[-1] == len(content))


@pytest.mark.parametrize("locked", [(0, 512), (300_000, 300_512), (262_144, 262_656), (600_000, 600_512)])
def test_steps_over_the_bytes_that_sqlite_locks(tmp_path, monkeypatch, locked):
    # Windows refuses to read them while Zotero runs; the page they are in holds nothing.
    monkeypatch.setattr("zbm_core.library.copying.clone", lambda *_: False)
    content = bytearray(b"x" * 700_000)
    (tmp_path / "a").write_bytes(content)
    copy_file(tmp_path / "a", tmp_path / "b", lock_bytes=locked)
    content[slice(*locked)] = bytes(locked[1] - locked[0])
    assert (tmp_path / "b").read_bytes() == content


def test_cancel(tmp_path, monkeypatch):
    monkeypatch.setattr("zbm_core.library.copying.clone", lambda *_: False)
    (tmp_path / "a").write_bytes(bytes(1000))
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        copy_file(tmp_path / "a", tmp_path / "b", cancel=token)
