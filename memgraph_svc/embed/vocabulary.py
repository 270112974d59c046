"""Tell the words that say something from those that do not.

In: any text. Out: its words without stop words, numbers and single letters, and the spellings under which each may be
known. Pure. What a model knows is decided in ``local.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHORTEST = 2
# Pronouns and pointers; questions; verbs that carry no meaning by themselves; joints, places and measures; what an
# apostrophe leaves behind.
_STOP = frozenset(
    """
    a an the i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her
    hers herself it its itself they them their theirs themselves this that these those here there one ones someone
    somebody something somewhere anyone anybody anything anywhere everyone everybody everything everywhere nobody nothing
    nowhere none other others another each every either neither both all any some such same own

    who whom whose which what when where why how whether

    am is are was were be been being do does did doing done have has had having can could may might must shall should will
    would ought let get gets got getting goes going gone go went come comes came make makes made use uses used say says
    said tell tells told know knows knew thing things way ways kind sort lot lots

    and or but nor so yet if then else than as at by for from in into of off on onto out over to up upon with without
    within about above across after against along among around before behind below beneath beside besides between beyond
    down during except inside near outside per since through throughout till toward towards under until via while because
    though although unless not no yes never always ever often sometimes only just also too very much many more most less
    least few several quite rather almost again once now still already even well really please okay ok oh hi hello thanks
    thank

    don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn ll ve re
    """.split()  # noqa: SIM905  a list of quoted words is no longer a page that one can read
)
_CONTRACTED = re.compile(r"['’](?:s|m|d|t|ll|ve|re)$")
# The longer word that a base may come from first: "caring" is from "care", not from "car".
_ENDINGS = (("ies", "y"), ("s", ""), ("es", ""), ("ing", "e"), ("ing", ""), ("ed", "e"), ("ed", ""))
_SHORTEST_BASE = 3


def telling(text: str) -> Iterator[str]:
    """The words of a text that may say something, in order, in lower case."""
    for found in _WORD.finditer(text):
        word = _CONTRACTED.sub("", found[0].lower())
        if len(word) >= _SHORTEST and word not in _STOP:
            yield word


def spellings(word: str) -> Iterator[str]:
    """The word as it is, as a name, and without its ending."""
    yield word
    yield word.capitalize()
    if word.endswith("ss"):
        return
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_BASE:
            yield word[: -len(ending)] + instead
