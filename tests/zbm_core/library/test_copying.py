import pytest

from zbm_core.errors import Cancelled, CancelToken
from zbm_core.library.copying import copy_file, differs


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


def test_differs(tmp_path):
    one, other = tmp_path / "a", tmp_path / "b"
    content = bytearray(b"x" * 700_000)
    one.write_bytes(content)
    other.write_bytes(content)
    assert not differs(one, other)
    assert not differs(one, other, lock_bytes=(300_000, 300_512))
    for position in (0, 299_999, 300_512, 699_999):
        changed = bytearray(content)
        changed[position] = 0
        other.write_bytes(changed)
        assert differs(one, other, lock_bytes=(300_000, 300_512))
    changed = bytearray(content)
    changed[300_100] = 0
    other.write_bytes(changed)
    assert not differs(one, other, lock_bytes=(300_000, 300_512))
    for size in (699_999, 700_001, 0):
        other.write_bytes(b"x" * size)
        assert differs(one, other)
