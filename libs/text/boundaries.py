"""Where words begin and end, as regular expressions see it, without one: much sooner for a literal in a long text."""


def is_word_character(character: str) -> bool:
    r"""Whether it is one of `\w`; not where there is none."""
    return character.isalnum() or character == "_"


def count_of_word(word: str, text: str) -> int:
    r"""How often `\bWORD\b` is found; `word` is a literal, not empty."""
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
