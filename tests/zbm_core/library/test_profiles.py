import pytest

from zbm_core.library.profiles import parse_preferences


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (r'user_pref("k", "C:\\Users\\Ünal\\Zotero");', r"C:\Users\Ünal\Zotero"),
        (r'user_pref("k", "D:\\\u4e2d\u6587");', "D:\\中文"),
        (r'user_pref("k", "\ud83d\ude00 \x41");', "😀 A"),
        (r'user_pref("k", "say \"hi\"");', 'say "hi"'),
        (r"user_pref('k', 'it\'s');", "it's"),
        (r'user_pref("k", "a\nb");', "a\nb"),
        (r'user_pref("k", "\ud83d");', "\ufffd"),
        ('user_pref("k", true);', True),
        ('user_pref("k",false) ;', False),
        ('  user_pref( "k" , -12 );', -12),
        ('user_pref("k", "a); user_pref(");', "a); user_pref("),
    ],
)
def test_values(line, value):
    assert parse_preferences(f"// comment\n{line}\n") == {"k": value}


def test_the_last_line_counts_and_others_are_passed_over():
    text = 'user_pref("k", 1);\nuser_pref("k" 2);\n#user_pref("k", 3);\nuser_pref("k", 4);\nuser_pref("m", '
    assert parse_preferences(text) == {"k": 4}


def test_hostile_text_ends():
    # Anything but linear time would not come back from this.
    assert parse_preferences('user_pref("' + "\\" * 1_000_001) == {}
    assert parse_preferences('user_pref("a", "' * 200_000) == {}
    assert parse_preferences("\n" * 1_000_000 + " " * 1_000_000) == {}
