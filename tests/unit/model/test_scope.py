"""Two scopes share a key only when tenant and namespace are equal."""

from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.model.scope import ANY_TOKEN, Scope, token

NAMES = st.text(min_size=1, max_size=12)


@given(NAMES, NAMES, NAMES, NAMES)
def test_keys_are_equal_only_for_equal_names(a: str, b: str, c: str, d: str) -> None:
    assert (Scope(a, b).key == Scope(c, d).key) == ((a, b) == (c, d))


def test_names_that_run_into_each_other_stay_apart() -> None:
    pairs = [
        ("a::b", "c"),
        ("a", "b::c"),
        ("a/b", "c"),
        ("a", "b/c"),
        ("ab", "c"),
        ("a", "bc"),
        ("acme", "n"),
        ("acme ", "n"),
    ]
    assert len({Scope(*pair).key for pair in pairs}) == len(pairs)


def test_agent_and_session_do_not_change_the_key_but_the_full_scope() -> None:
    plain, narrow = Scope("t", "n"), Scope("t", "n", "a", "s")
    assert plain.key == narrow.key
    assert plain.full() != narrow.full()
    assert Scope("t", "n", "-").full() != Scope("t", "n").full()


def test_tokens_survive_an_analyzer() -> None:
    made = token("agent", "Läufer's")
    assert made.isascii()
    assert made.isalnum()
    assert made.islower()
    assert Scope("t", "n").agent_token == ANY_TOKEN != Scope("t", "n", "*").agent_token


def test_a_wide_scope_admits_its_agents_and_a_narrow_one_only_itself() -> None:
    assert Scope("t", "n").admits("a1", "s1")
    assert Scope("t", "n", "a1").admits("a1", "s1")
    assert not Scope("t", "n", "a1").admits("a2", None)
    assert not Scope("t", "n", "a1").admits(None, None)
    assert not Scope("t", "n", None, "s1").admits("a1", "s2")
