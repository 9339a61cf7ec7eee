"""Text in any script is text; debris is left out, and how much of a document that was is known."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from tests.support.noise import MODELS
from zbm_core.documents.cutting import cut_document
from zbm_core.documents.quality import is_debris, left_out, without_debris
from zbm_core.documents.structure import Block, BlockKind, OutlineEntry, StructuredText

CORPORA = Path(__file__).resolve().parents[4] / "shared" / "corpora"

WRITING = {
    "english": "It was the best of times, it was the worst of times - wasn't it?",
    "one word": "Methods",
    "a number": "12.",
    "a few signs": "§ 3",
    "cyrillic": "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.",
    "greek": "Μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην, ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκε",
    "hebrew with points": "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ׃",
    "arabic with vowels": "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ ۝ ٱلْحَمْدُ لِلَّهِ رَبِّ ٱلْعَٰلَمِينَ",
    "thai": "ประเทศไทยมีประชากรประมาณ66ล้านคนในปี2560และมีกรุงเทพมหานครเป็นเมืองหลวง",
    "devanagari": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
    "tamil": "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்;",
    "khmer": "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាពក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។",
    "tibetan": "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང༌།",
    "amharic": "የሰው፡ልጅ፡ሁሉ፡ሲወለድ፡ነጻና፡በክብርና፡በመብትም፡እኩልነት፡ያለው፡ነው።",
    "georgian": "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
    "armenian": "Բոլոր մարդիկ ծնվում են ազատ ու հավասար՝ իրենց արժանապատվությամբ ու իրավունքներով։",
    "classical chinese": "道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。",
    "chinese accounts": "投资收益（损失以“－”号填列）",
    "japanese": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "vietnamese": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
    "yoruba": "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba.",
    "french spacing": "« Qu'est-ce donc ? » dit-il ; « rien ! » : voilà tout l'« esprit » d'aujourd'hui !",
    "phonetics": "[ðə ˈkwɪk bɹaʊn ˈfɒks ˈdʒʌmpt ˌəʊvə ðə ˈleɪzi ˈdɒɡ] /mā˥ ma˧˥ mɑ˨˩˦/",
    "transliteration": "iw=f pr(.w) r tA m nTr nfr nb tA.wj; ḥtp-ḏj-nsw wsjr nb ḏdw; šarru-kīn šàr māt Aš-šurᵏⁱ",
    "linear b": "pu-ro i-je-to-qe di-wo i-ro ti-ri-po-de ai-ke-u ke-re-si-jo we-ke 2",
    "code": "for (int i = 0; i < n; ++i) { a[i] = b[i] * c[i]; if (!a[i]) return -1; } // done",
    "python": ">>> eng2sp = {'one': 'uno', 'two': 'dos'}",
    "regular expression": r"^\s*(?:[A-Z]\w+\.)*[a-z]\w*\s*=\s*(?P<value>\S+)$",
    "formula": "∂u/∂t + (u · ∇)u = −(1/ρ)∇p + ν∇²u + f, where E = mc² and x_{n+1} = 3.57 x_n (1 − x_n)",
    "indices": "a11x1 + a12x2 + a13x3 + ⋯ + a1nxn = b1 a21x1 + a22x2 + a23x3 + ⋯ + a2nxn = b2",
    "markup": '<p id="c01">There are <span ssml:ph="w&quot;Vn T&quot;aUz@n">1024</span> bits<br/></p>',
    "form": "This agreement is made on _______________, 20___ between ________________ and ______________",
    "variables": "x y z = a b c d e f g h",
    "numbers": "0.83 ± 0.02 1.74 (0.9–2.6) 12.4 % p < 0.001 – – 1,204 3.5e-7 n/a",
    "chemical names": "N,N-dimethyl-2-(4-chlorobenzhydryloxy)ethylamine; (2R,3S)-3-[2H5]ethyl; Fe(CN)6^4-; C2H5OH",
    "genes": "TP53, IL6R, CD4+, HLA-DRB1*04:01, SARS-CoV-2, H1N1, mRNAs, tRNAs, p53-/-, Δ9-THC",
    "sequence": "ATGGCGTACGTTAGCTAGCTAGGATCCAAAAAAAAAAAA MKTAYIAKQRQISFVKSHFSRQ",
    "spaced sequence": "A C G T T G C A A C G T A C G T T T A C",
    "spaced heading": "R E F E R E N C E S",
    "answers": "A B C D A C B D A B C D A A B D",
    "leaders": "1.2 Results . . . . . . . . . . . . . . . . . . 17",
    "dotted leaders": "Introduction ............................................ 5",
    "checksum": "SHA: eef0ecf5b8e7b179dadaef967e65f2ab68f021e1",
    "address": "https://example.org/a/b2c?x=1&y=%20z#t3xt doi:10.1016/j.cell.2020.02.052",
    "poetry": "O! O! O! o'er the hills; heigh-ho! - 'tis I, 'tis I!",
    "tall bracket": "A(m, n) = \uf8f1\uf8f4\uf8f2\uf8f4\uf8f3 n + 1 if m = 0",
    "bullet of a symbol font": "\uf0b7 Wash your hands before the procedure.",
    "pictographs": "👍 👍 👍 ☞ ✔ Thanks ✨",
    "smart quotes": "‘“Yes,”’ she said—“‘no’”…",
    "portuguese capitals": "A SITUAÇÃO DA EDUCAÇÃO: «NÃO À REDUÇÃO»",
}

DEBRIS = {
    "signs": "~ ' . , | _ ^ . ; : ' ~ - ' . , `` | .",
    "broken words": "th3 qu;ck br~wn f0x j!umps ov3r t|he l?azy d*g ag^ain; t0 th;s d~ay",
    "private use": "\ue012\ue044\ue013 \ue001\ue023\ue055\ue013 \ue012\ue044",
    "replacement": "Die L\ufffd\ufffd\ufffd d\ufffd\ufffd Ph\ufffdl\ufffds\ufffdph\ufffd\ufffd",
    "misread": "Ð’ÑÐµ ÑÑ‡Ð°ÑÑ‚Ð»Ð¸Ð²Ñ‹Ðµ ÑÐµÐ¼ÑŒÐ¸ Ð¿Ð¾Ñ…Ð¾Ð¶Ð¸",
    "one letter": "eeeeeeeee lllllllll eeeee iiiiiiii lllllll",
    "strokes": "l I l l i I l i l l I i l l l i I l",
    "glyph numbers": "(cid:12)(cid:33)(cid:4) (cid:8)(cid:90)",
    "font without letters": '!"# $!"# %!"# &!"# \'!"# (!"#',
    "controls": "\x01\x02\x03\x04 \x05\x06\x07 \x0e\x0f",
}


@pytest.mark.parametrize("name", WRITING)
def test_writing_is_kept(name: str) -> None:
    assert not is_debris(WRITING[name])


@pytest.mark.parametrize("name", DEBRIS)
def test_debris_is_told(name: str) -> None:
    assert is_debris(DEBRIS[name])


def test_any_text_is_taken() -> None:
    for text in ("", " ", "\ud800", "\U0010ffff", "a" * 1_000_000, "~" * 1_000_000, "l ~" * 200_000):
        assert is_debris(text) in (True, False)


@pytest.mark.parametrize("corpus", ["xquad_en", "xquad_de", "xquad_ru", "xquad_ar", "xquad_zh", "jaquad_ja"])
def test_no_paragraph_of_a_corpus_falls_and_most_of_its_debris_does(corpus: str) -> None:
    file = CORPORA / corpus / "corpus.jsonl"
    if not file.exists():
        pytest.skip("the test data folder beside the project is absent")
    with file.open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in islice(lines, 200)]
    assert [text for text in texts if is_debris(text)] == []
    rng = random.Random(3)
    for name in ("isolated_signs", "private_use", "replacement_30", "runs", "glyph_numbers"):
        assert sum(is_debris(MODELS[name](rng, text)) for text in texts) > 0.8 * len(texts), name


def document(*texts: str) -> StructuredText:
    return StructuredText(tuple(Block(BlockKind.PARAGRAPH, text, ()) for text in texts), (), ())


def test_debris_is_in_no_chunk_and_its_share_is_known() -> None:
    text = document("The first paragraph.", DEBRIS["signs"], "The second paragraph.")
    found = cut_document(text)
    assert [chunk.text for chunk in found.chunks] == ["The first paragraph.\n\nThe second paragraph."]
    assert found.kept == pytest.approx(41 / (41 + len(DEBRIS["signs"])))
    assert (
        found.report(3).reason
        == f"{round(100 * (1 - found.kept))} % of its text is unreadable and was left out."
    )
    assert found.report(3).kept == found.kept


def test_a_clean_document_says_nothing() -> None:
    found = cut_document(document(WRITING["english"]))
    assert found.kept == 1.0 and found.report(1).reason == ""
    assert left_out(0.999) == ""


def test_a_heading_of_the_outline_keeps_its_place() -> None:
    heading = Block(BlockKind.HEADING, DEBRIS["signs"], (), 1)
    after = Block(BlockKind.PARAGRAPH, "Under it.", ())
    text = StructuredText((heading, after), (OutlineEntry(heading.text, 1, 0, 0),), ())
    assert without_debris(text) == (text, 1.0)


def test_headers_do_not_count_for_the_share() -> None:
    header = Block(BlockKind.EXCLUDED, DEBRIS["signs"], ())
    text = StructuredText((header, Block(BlockKind.PARAGRAPH, "Text.", ())), (), ())
    assert without_debris(text)[1] == 1.0
