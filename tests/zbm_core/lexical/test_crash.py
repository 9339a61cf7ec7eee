"""Killed at any moment, the index agrees with itself and with what it said it had stored."""

import random
import subprocess
import sys
import time

from tests.zbm_core.lexical.conftest import USER_KEY
from zbm_core.lexical import parse_query

WRITER = """
import sys
from pathlib import Path
from tests.zbm_core.lexical.conftest import attachment, item, key
from zbm_core.lexical import LexicalIndex
index = LexicalIndex.open(Path(sys.argv[1]), sys.argv[2])
round_ = int(sys.argv[3])
print("open", flush=True)
while True:
    round_ += 1
    for n in range(4):
        # Every version of a document says its round in every passage, so a mix of two would show.
        words = f"version{round_} document{n} soil"
        index.put(item(f"I{n}", f"Item {words}", words, stamp=str(round_)))
        index.put(attachment(f"P{n}", f"I{n}", *[f"{words} passage{m}" for m in range(3 + (round_ + n) % 5)],
                             stamp=str(round_)))
    index.delete([key(f"P{round_ % 4}")])
    index.commit()
    print(round_, flush=True)
"""
KILLS = 12


def test_killed_again_and_again(opened, folder):
    rng = random.Random(5)
    promised = 0
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder), USER_KEY, str(promised)],
            stdout=subprocess.PIPE, text=True,
        ) as writer:  # fmt: skip
            assert writer.stdout.readline() == "open\n"
            time.sleep(rng.uniform(0.0, 0.25))
            writer.kill()
            lines = writer.stdout.read().split()
        promised = max([promised, *(int(line) for line in lines)])
        index = opened()
        assert index.notice == ""
        assert index._state.pending() == []
        promised = _check(index, promised)
        index.close()
    assert promised > 0


def _check(index, promised):
    """What is stored is one round, the last promised or one begun after it; return it."""
    stamps = index.stamps()
    if not stamps:
        assert promised == 0
        return 0
    rounds = set(stamps.values())
    assert len(rounds) == 1
    round_ = int(rounds.pop())
    assert promised <= round_ <= promised + 1
    items = {f"I{n}" for n in range(4)}
    kept = {f"P{n}" for n in range(4)} - {f"P{round_ % 4}"}
    assert {stamped.key for stamped in stamps} == items | kept
    assert {hit.item.key for hit in index.search(parse_query(f"version{round_}"))} == items
    assert not index.search(parse_query(f"version{round_ - 1}"))
    for n in range(4):
        top = next(key for key in stamps if key.key == f"I{n}")
        hits = index.passages(parse_query(f"version{round_}"), top)
        passages = sorted(hit.passage for hit in hits if hit.source.key == f"P{n}")
        assert passages == (list(range(3 + (round_ + n) % 5)) if f"P{n}" in kept else [])
    return round_
