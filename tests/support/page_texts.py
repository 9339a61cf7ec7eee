"""Sentences and labels for generated web pages, in several languages; the same for the same seed."""

from __future__ import annotations

import random
import re
from html import escape

_SUBJECTS = (
    "the committee", "a team of biologists", "the old harbour", "every second reader", "the regional archive",
    "her translation", "a cooler summer", "the survey", "one of the engineers", "the parish register",
    "this experiment", "the river authority", "an unpublished letter", "the second edition", "most of the sample",
)  # fmt: skip
_VERBS = (
    "found evidence of", "was moved because of", "depends on", "cannot be explained by", "recorded", "drew attention to",
    "had little to do with", "was compared with", "changed the meaning of", "kept silent about", "measured",
)  # fmt: skip
_OBJECTS = (
    "a slow decline in rainfall", "three kinds of limestone", "the trade in salted fish", "an earlier manuscript",
    "the migration of herons", "a shortage of paper", "two thirds of the participants", "the price of coal",
    "habits that nobody had described", "errors of the first census", "the shape of the estuary", "a protein in barley",
)  # fmt: skip
_ENDS = (
    "during the winter of {n}", "although only {n} cases were known", "in {n} villages along the coast",
    "as figure {n} shows", "which took {n} days", "and {n} years later nobody remembered why",
)  # fmt: skip
_ADJECTIVES = (
    "Daily", "Latest", "Local", "Premium", "Weekly", "Global", "Mobile", "Classic", "Summer", "Official", "Digital",
    "Regional", "Junior",
)  # fmt: skip
_LABELS = tuple(re.findall(
    r"\w+",
    "Offers Puzzles Horoscopes Jobs Podcasts Vouchers Weather Sports Recipes Gallery Shop Careers Archive Crosswords "
    "Betting Holidays Deals Obituaries Classifieds Traffic Lottery Cartoons Events Motoring",
))  # fmt: skip

_OTHER: dict[str, tuple[str, ...]] = {
    "zh": (
        "调查显示第{n}个地区的降水量在过去二十年里明显减少，农民因此改变了播种的时间。",
        "研究人员在档案馆里发现了{n}封从未发表过的信件，内容涉及当时的盐业贸易。",
        "这座旧港口在{n}年之后重新开放，成为附近居民最喜欢散步的地方。",
        "图书馆学是研究图书馆的发生、发展和组织管理的科学，第{n}章对此有详细的说明。",
        "专家认为，气候变化对水资源的影响比预想的更加复杂，至少有{n}种不同的解释。",
    ),
    "ja": (
        "調査によると、第{n}地区の降水量は過去二十年間で大きく減少し、農家は種まきの時期を変えた。",
        "研究者は文書館で{n}通の未発表の手紙を見つけ、当時の塩の取引について知ることができた。",
        "古い港は{n}年後に再び開かれ、近くの住民が散歩を楽しむ場所になっている。",
        "図書館は資料を集めて保存し、利用者に提供する施設であり、全国に{n}館ある。",
    ),
    "ar": (
        "أظهرت الدراسة أن كمية الأمطار في المنطقة رقم {n} انخفضت خلال العقدين الماضيين، وقد غير المزارعون مواعيد الزراعة.",
        "عثر الباحثون في الأرشيف على {n} رسالة لم تنشر من قبل تتحدث عن تجارة الملح في ذلك الزمن.",
        "أعيد افتتاح الميناء القديم بعد {n} عاما، وأصبح مكانا يحب السكان أن يتنزهوا فيه.",
    ),
    "ru": (
        "Исследование показало, что в районе номер {n} количество осадков за двадцать лет заметно уменьшилось.",
        "В архиве нашли {n} неопубликованных писем, в которых говорится о торговле солью и о ценах на бумагу.",
        "Старый порт открыли снова через {n} лет, и теперь жители окрестных улиц любят гулять там по вечерам.",
    ),
    "ko": (
        "조사에 따르면 {n}번째 지역의 강수량은 지난 이십 년 동안 크게 줄었고 농민들은 파종 시기를 바꾸었다.",
        "연구자들은 기록 보관소에서 출판되지 않은 편지 {n}통을 찾아 당시의 소금 무역을 알게 되었다.",
        "오래된 항구는 {n}년 뒤에 다시 열려 주민들이 산책을 즐기는 곳이 되었다.",
    ),
}  # fmt: skip
_OTHER_LABELS = {
    "zh": ("首页", "财经新闻", "体育频道", "娱乐八卦", "汽车之家", "房产信息", "旅游攻略", "手机客户端", "联系我们", "广告服务", "招聘信息", "网站地图"),
    "ja": ("トップページ", "経済ニュース", "スポーツ速報", "天気予報", "会員登録", "お問い合わせ", "広告掲載", "求人情報", "占いコーナー", "プレゼント", "写真特集", "動画一覧"),
    "ar": ("الصفحة الرئيسية", "أخبار الاقتصاد", "الرياضة اليوم", "حالة الطقس", "اتصل بنا", "إعلانات مبوبة", "وظائف شاغرة", "معرض الصور", "تطبيق الهاتف", "خريطة الموقع"),
    "ru": ("Главная страница", "Новости спорта", "Прогноз погоды", "Гороскоп недели", "Реклама на сайте", "Вакансии редакции", "Фотогалерея", "Карта сайта", "Подписка на журнал", "Афиша выходных"),
    "ko": ("홈으로", "경제 뉴스", "스포츠 소식", "날씨 정보", "회원 가입", "광고 문의", "채용 안내", "오늘의 운세", "사진 모음", "동영상 보기"),
}  # fmt: skip


class Maker:
    """Makes the texts of one page and remembers which are its article and which are around it."""

    def __init__(self, name: str, language: str = "en") -> None:
        self.chance = random.Random(name)
        self.language = language
        self.article: list[str] = []
        self.around: list[str] = []
        self.heading = ""  # the first title
        self._number = self.chance.randrange(100, 900)
        self._labels = 0

    def sentence(self) -> str:
        self._number += self.chance.randrange(1, 9)
        if self.language in _OTHER:
            return self.chance.choice(_OTHER[self.language]).format(n=self._number)
        pick = self.chance.choice
        text = f"{pick(_SUBJECTS)} {pick(_VERBS)} {pick(_OBJECTS)} {pick(_ENDS).format(n=self._number)}."
        return text[0].upper() + text[1:]

    def text(self, sentences: int = 4) -> str:
        return ("" if self.language in ("zh", "ja") else " ").join(self.sentence() for _ in range(sentences))

    def mine(self, text: str) -> str:
        """*text* as part of the article."""
        self.article.append(text)
        return escape(text, quote=False)

    def other(self, text: str) -> str:
        """*text* as something around it."""
        self.around.append(text)
        return escape(text, quote=False)

    def paragraph(self, sentences: int = 4) -> str:
        return self.mine(self.text(sentences))

    def paragraphs(self, count: int, tag: str = "p") -> str:
        return "\n".join(f"<{tag}>{self.paragraph()}</{tag}>" for _ in range(count))

    def title(self) -> str:
        self._number += 1
        text = f"How {self.chance.choice(_SUBJECTS)} {self.chance.choice(_VERBS)} case {self._number}"
        if self.language in _OTHER:
            text = self.text(1)[:18]
        self.heading = self.heading or text
        return self.mine(text)

    def label(self) -> str:
        """A unique label of a menu."""
        self._labels += 1
        if self.language in _OTHER_LABELS:
            labels = _OTHER_LABELS[self.language]
            return self.other(f"{labels[self._labels % len(labels)]}{self._labels}")
        adjective = _ADJECTIVES[self._labels % len(_ADJECTIVES)]
        return self.other(f"{adjective} {_LABELS[self._labels * 7 % len(_LABELS)]} {self._labels}")

    def links(self, count: int, form: str = "<li><a href='/{n}'>{label}</a></li>") -> str:
        return "".join(form.format(n=self._labels + 1, label=self.label()) for _ in range(count))

    def menu(self, count: int = 8) -> str:
        return f"<ul>{self.links(count)}</ul>"
