"""Word boundaries as in regular expressions, without using one: much faster for a literal in a long text."""


def is_word_character(character: str) -> bool:
    r"""Whether a character matches `\w`; False for an empty string."""
    return character.isalnum() or character == "_"


def count_of_word(word: str, text: str) -> int:
    r"""Number of matches of `\bWORD\b`; `word` is a non-empty literal."""
    count, at = 0, text.find(word)
    while at >= 0:
        end = at + len(word)
        if _is_boundary(text, at) and _is_boundary(text, end):
            count += 1
            at = text.find(word, end)
        else:
            at = text.find(word, at + 1)
    return count


def _is_boundary(text: str, at: int) -> bool:
    return is_word_character(text[at - 1 : at] if at else "") != is_word_character(text[at : at + 1])
