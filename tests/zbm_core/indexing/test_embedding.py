import shutil
import sqlite3

import pytest

from tests.support.models import made_once
from zbm_core.engine import Engine, EngineError
from zbm_core.errors import CancelToken
from zbm_core.indexing import run, vectors
from zbm_core.library import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import EngineChoice, Fusion, Kind, Outlook, SearchRequest
from zbm_core.semantic import ModelError
from zbm_core.settings import Settings

MEANT = "greenhouse gas stored below ground"  # no word of it stands in the small library's soil article


@pytest.fixture(scope="session")
def models():
    """The folders of the packaged encoder and the packaged picker, installed."""
    try:
        return [
            made_once(name)[0].folder_of(name) for name in ("multilingual-e5-small", "use-multilingual-v3")
        ]
    except ModelError as error:
        pytest.skip(error.message)


def with_models(engine: Engine, models) -> Engine:
    """*engine* with the models installed and ready; its library is indexed by words already."""
    home = engine.paths.data / "models"
    home.mkdir(parents=True, exist_ok=True)
    for folder in models:
        assert folder.is_dir()
        (home / folder.name).symlink_to(folder, target_is_directory=True)
    assert engine.prepare_meaning() == ""
    return engine


@pytest.fixture
def meaningful(indexed, models) -> Engine:
    """An engine of this test's own with a model ready and nothing embedded."""
    return with_models(indexed, models)


@pytest.fixture
def embedded(meaningful) -> Engine:
    """An engine of this test's own with everything embedded."""
    assert meaningful.embed().finished
    return meaningful


@pytest.fixture(scope="module")
def shared(models, _built_library, tmp_path_factory):
    """An engine with everything embedded, for tests that only ask."""
    paths = AppPaths.under(tmp_path_factory.mktemp("shared"))
    engine = Engine(paths, Settings(paths.config / "settings.json"))
    engine.open_library(_built_library.folder)
    engine.index()
    assert with_models(engine, models).embed().finished
    yield engine
    engine.close()


def ask(engine, text, choice=EngineChoice.HYBRID, **options):
    return engine.search(SearchRequest(text, engine=choice, margin=100, **options))


def keys(session):
    return [match.item.key for match in session.result.matches]


def test_what_is_only_meant_is_found(shared, small):
    assert keys(ask(shared, MEANT, EngineChoice.WORDS)) == []
    session = ask(shared, MEANT)
    assert keys(session)[0] == small.soil
    match = session.result.matches[0]
    assert match.score.lexical is None
    assert 0 < match.score.semantic <= 1
    assert session.result.engines == "words and meaning"
    passage = session.previews(match.item)[0]
    assert passage.by_meaning and passage.ranges == ()
    assert passage.text[slice(*passage.quote)]


def test_a_question_in_another_language_is_answered(shared, small):
    assert keys(ask(shared, "Wie viel Kohlenstoff speichern Moorböden?"))[0] == small.soil


def test_both_together_rank_highest(shared, small):
    session = ask(shared, "drained peat loses carbon")
    best = session.result.matches[0]
    assert best.item.key == small.soil
    assert best.score.lexical and best.score.semantic
    assert not session.previews(best.item)[0].by_meaning


def test_the_reference_fusion_can_be_chosen(shared, small):
    assert keys(ask(shared, "drained peat loses carbon", fusion=Fusion.RANKS))[0] == small.soil


def test_meaning_alone(shared, small):
    session = ask(shared, "drained peat loses carbon", EngineChoice.MEANING)
    assert session.result.engines == "meaning"
    assert all(match.score.lexical is None for match in session.result.matches)
    assert keys(session)[0] == small.soil


def test_punctuation_means_nothing(shared):
    assert ask(shared, "", EngineChoice.MEANING).result.outlook is Outlook.NOT_SEARCHABLE


def test_scopes_hold_for_meaning_too(shared, small):
    from zbm_core.search.records import Scope

    session = ask(shared, MEANT, scope=Scope(library=small.group))
    assert all(match.item.library == small.group for match in session.result.matches)


def test_everything_that_says_something_has_a_vector_and_a_second_run_none_to_make(shared, small):
    status = shared.meaning_status()
    assert status.embedded == status.total > 5
    assert status.model == "multilingual-e5-small"
    assert shared.embed().embedded == 0


def test_before_any_vector_words_rank_and_it_is_said(meaningful, small):
    session = ask(meaningful, "drained peat")
    assert keys(session) == [small.soil]
    assert "being prepared" in session.result.notice
    assert session.result.engines == "words"


def test_switched_off_words_rank_and_what_is_indexed_is_kept(embedded, small):
    embedded.settings.set("search.semantic", False)
    assert embedded.prepare_meaning() == ""
    assert ask(embedded, MEANT).result.matches == ()
    assert embedded.embed() is None
    assert not embedded.meaning_status().enabled
    embedded.settings.set("search.semantic", True)
    embedded.prepare_meaning()
    assert keys(ask(embedded, MEANT))[0] == small.soil


def test_after_a_restart_meaning_is_there_at_once(embedded, small):
    embedded.close()
    again = Engine(embedded.paths, embedded.settings)
    again.open_library(small.folder)
    assert keys(ask(again, MEANT))[0] == small.soil
    again.close()


def test_a_deleted_item_is_gone_from_meaning(embedded, small):
    db = sqlite3.connect(small.folder / "zotero.sqlite")
    with db:
        db.execute("INSERT INTO deletedItems (itemID) SELECT itemID FROM items WHERE key = ?", (small.soil,))
    db.close()
    embedded.refresh()
    assert small.soil not in keys(ask(embedded, MEANT))  # at once: the library no longer has it
    embedded.index()
    embedded.embed()
    assert small.soil not in {key.key for key in embedded._desk.meaning.index.stamps()}


def test_a_cancelled_run_keeps_what_landed_and_the_next_goes_on(meaningful, monkeypatch):
    monkeypatch.setattr(vectors, "POOL", 2)  # so few texts that a run has several batches
    monkeypatch.setattr(run, "TELL_EVERY", 0.0)
    cancel = CancelToken()
    first = meaningful.embed(cancel, lambda progress: cancel.cancel() if progress.done else None)
    assert not first.finished
    assert 0 < first.progress.done < first.progress.total
    second = meaningful.embed()
    assert second.finished
    assert first.embedded + second.embedded == second.progress.total


def test_the_model_changed_between_runs(embedded, small):
    record = embedded.paths.data / "models" / "multilingual-e5-small"
    target = record.resolve()
    record.unlink()
    shutil.copytree(target, record)
    file = record / "record.json"
    file.write_text(file.read_text().replace('"name": "multilingual-e5-small"', '"name": "other-model"'))
    record.rename(record.with_name("other-model"))
    embedded.settings.set("semantic.model", "other-model")
    # It has no calibration of its own yet: words rank until it is prepared.
    embedded.close()
    again = Engine(embedded.paths, embedded.settings)
    again.open_library(small.folder)
    assert ask(again, MEANT).result.matches == ()
    again.close()


def test_similar_items(shared, small):
    similar = shared.similar(ItemKey(1, small.lamps))
    assert small.lamps not in [match.item.key for match in similar]
    assert similar[0].item.key in {small.standalone, small.group_item}
    # On the item's own scale: nothing here says the same as the item itself.
    bars = [match.strength for match in similar]
    assert bars == sorted(bars, reverse=True) and 0 < bars[0] < 1 and bars[-1] < bars[0]


def test_similar_items_before_meaning_is_ready_are_refused_in_words(indexed, small):
    with pytest.raises(EngineError, match="meaning"):
        indexed.similar(ItemKey(1, small.lamps))


def test_notes_and_annotations_are_found_by_meaning(shared, small):
    session = ask(shared, "what nocturnal insects do around light", EngineChoice.MEANING)
    found = {passage.kind for match in session.result.matches for passage in session.passages(match.item)}
    assert Kind.ATTACHMENT in found
    assert small.lamps in keys(session)
