import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.small_library import write_pdf
from zbm_core.cli import DONE, FAILED, INTERRUPTED, NOTHING_FOUND, main
from zbm_core.paths import AppPaths
from zbm_core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(small, tmp_path, capsys):
    """Run a command on the small library: (exit code, standard output, standard error)."""

    def run(command, *arguments, library=None):
        places = ["--library", str(library or small.folder), "--index", str(tmp_path / "index")]
        if command == "index":
            places.append("--words-only")
        code = main([command, *places, *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def lines(out):
    return [json.loads(line) for line in out.splitlines()]


def test_index_search_and_status_as_a_person_reads_them(run, small):
    code, out, _ = run("index")
    assert code == DONE
    assert "Up to date: 7 written" in out
    code, out, _ = run("search", "drained peat")
    assert code == DONE
    assert "Carbon under the plough" in out
    assert "[Gómez et al. 2019]" in out
    assert "p. 1" in out
    code, out, _ = run("status")
    assert "4 items" in out and "2 / 2" in out
    code, out, _ = run("passages", "drained peat", small.soil)
    assert code == DONE
    assert "Drained peat" in out


def test_the_form_that_tools_build_on(run, small, tmp_path):
    run("index")
    queries = tmp_path / "queries.jsonl"
    queries.write_text(
        json.dumps({"id": "a", "text": "drained peat oxygen"})
        + "\n\n"
        + json.dumps({"id": "b", "text": "xylophonic"})
        + "\n"
    )
    code, out, _ = run("search", "--queries", str(queries))
    assert code == DONE
    first, second = lines(out)
    assert {"id", "query", "engine", "cpu_ms", "results"} <= first.keys()
    assert (first["id"], first["query"], first["engine"]) == ("a", "drained peat oxygen", "hybrid")
    result = first["results"][0]
    assert (result["library"], result["key"], result["rank"], result["semantic"]) == (1, small.soil, 1, None)
    assert 0 < result["lexical"] <= 1
    passage = next(p for p in result["passages"] if p["kind"] == "attachment")
    assert passage["attachment"] == small.soil_pdf
    assert passage["page"] == 1
    assert passage["quote"] in passage["text"]
    assert {len(rect) for rect in passage["rects"]} == {5}
    page, left, bottom, right, top = passage["rects"][0]
    assert page == 0 and left < right and bottom < top
    assert {"page_label", "section", "strength"} <= passage.keys()
    assert (second["id"], second["outlook"], second["results"]) == ("b", "nothing_matches", [])


def test_nothing_found_has_an_exit_code_of_its_own(run):
    code, out, _ = run("search", "moths")
    assert code == NOTHING_FOUND
    assert "Nothing is indexed yet" in out
    run("index")
    assert run("search", "xylophonic")[0] == NOTHING_FOUND
    assert run("search", "?!")[0] == NOTHING_FOUND


def test_scopes(run, small):
    run("index")
    _, out, _ = run("search", "moths", "--json", "--library-id", str(small.group))
    assert [result["key"] for result in lines(out)[0]["results"]] == [small.group_item]
    _, out, _ = run("search", "moths", "--json", "--year-from", "2005", "--type", "report")
    assert [result["key"] for result in lines(out)[0]["results"]] == [small.group_item]
    _, out, _ = run("search", "plough", "--json", "--collection", small.collection, "--no-subcollections")
    assert lines(out)[0]["results"] == []


def test_index_names_the_documents_it_could_not_read(run, small):
    (small.folder / "storage" / small.soil_pdf / "soil.pdf").write_bytes(b"%PDF-1.7 and no more")
    code, out, _ = run("index", "--json")
    assert code == DONE
    report = lines(out)[0]
    assert report["finished"] and report["documents_done"] == report["documents_total"] == 2
    (entry,) = report["documents"]
    assert (entry["key"], entry["outcome"]) == (small.soil_pdf, "damaged")
    assert entry["reason"]
    assert lines(run("status", "--json")[1])[0]["documents"] == [entry]


@pytest.mark.parametrize("content", [None, b"", b"not a database at all" * 100])
def test_a_folder_that_is_no_library_is_one_sentence(run, tmp_path, content):
    folder = tmp_path / "other"
    folder.mkdir()
    if content is not None:
        (folder / "zotero.sqlite").write_bytes(content)
    code, out, err = run("status", library=folder)
    assert (code, out) == (FAILED, "")
    assert err.startswith("zbm-cli: ") and err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("line", ["{", '{"id": 1}', "[]", "3"])
def test_a_broken_queries_file_names_its_line(run, tmp_path, line):
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"id": "a", "text": "moths"}\n' + line + "\n")
    code, _, err = run("search", "--queries", str(queries))
    assert code == FAILED
    assert "Line 2" in err
    assert run("search", "--queries", str(tmp_path / "none"))[0] == FAILED


def test_an_unknown_item_is_said(run):
    run("index")
    code, _, err = run("passages", "moths", "XXXXXXXX")
    assert code == FAILED and "no item" in err
    assert run("passages", "moths", "a/b/c")[0] == FAILED


def test_wrong_use_is_two(run):
    with pytest.raises(SystemExit) as stop:
        run("search")
    assert stop.value.code == 2


def test_a_query_of_100_000_characters_answers(run):
    run("index")
    code, out, _ = run("search", "--json", "moths " * 17_000)
    assert code == DONE
    assert lines(out)[0]["results"]


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_control_c_stops_and_keeps_what_is_done(small, tmp_path):
    book = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    write_pdf(book, ["Humus and marl, page after page. " * 30] * 900)
    command = [
        sys.executable, "-m", "zbm_core.cli", "index", "--library", str(small.folder),
        "--index", str(tmp_path / "index"),
    ]  # fmt: skip
    process = subprocess.Popen(
        [*command, "--words-only"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    # The small document is read first; once its pack is there the book is being read.
    while not any(tmp_path.glob("index/data/libraries/*/documents/**/*.pack")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == INTERRUPTED
    assert "stopped" in err.lower() or err == ""
    assert "Traceback" not in err
    search = [*command[:3], "search", *command[4:], "Turin"]
    assert subprocess.run(search, cwd=ROOT, capture_output=True, timeout=60).returncode == DONE


# --- the index, in the words of the window --------------------------------------------------------------


@pytest.fixture
def damaged(small):
    (small.folder / "storage" / small.soil_pdf / "soil.pdf").write_bytes(b"%PDF-1.7 and no more")
    return small


def test_status_says_what_the_preferences_say(run, damaged):
    run("index")
    _, out, _ = run("status")
    for words in (
        "Metadata, notes and annotations  5 / 5",
        "Attachments                      2 / 2",
        "No semantic data yet.",
        "Embedding server: Off: this computer generates semantic data itself.",
        "Index location: ",
        "1 document needs attention",
        f"{damaged.soil_pdf}  Carbon under the plough: Damaged.",
    ):
        assert words in out
    assert "paused" not in out
    entry = lines(run("status", "--json")[1])[0]
    assert entry["index_bytes"] > 0 and entry["paused"] is False
    assert (entry["endpoint"], entry["endpoint_active"]) == (None, False)


def test_a_pause_is_said_and_what_is_asked_for_is_done(run, tmp_path):
    Settings(AppPaths.under(tmp_path / "index").config / "settings.json").set("indexing.paused", True)
    code, out, said = run("index")
    assert code == DONE and "Up to date: 7 written" in out
    assert "Indexing is paused." in said and "asked for here" in said
    assert "Indexing is paused." in run("status")[1]
    assert lines(run("status", "--json")[1])[0]["paused"] is True


def test_the_attention_list_as_the_window_exports_it(run, damaged):
    run("index")
    code, out, _ = run("attention")
    assert code == DONE
    assert out.startswith("1 document needs attention\nCarbon under the plough\n    Damaged (soil.pdf)\n    ")
    _, out, _ = run("attention", "--csv")
    heading, row = csv.reader(io.StringIO(out))
    assert heading == ["Document", "What happened", "Reason", "File", "Zotero key"]
    assert row[0] == "Carbon under the plough" and row[3] == "soil.pdf" and damaged.soil_pdf in row[4]
    (entry,) = lines(run("attention", "--json")[1])
    assert (entry["key"], entry["outcome"]) == (damaged.soil_pdf, "damaged")


def test_what_needs_attention_can_be_read_again(run, damaged):
    run("index")
    assert "by the next run" in run("attention", "--again")[2]
    assert "1 / 2" in run("status")[1]
    run("index")
    assert "2 / 2" in run("status")[1]


def test_where_nothing_needs_attention_that_is_said(run, small):
    run("index")
    code, out, said = run("attention", "--again")
    assert (code, out, said) == (DONE, "Every document that was read could be read.\n", "")
