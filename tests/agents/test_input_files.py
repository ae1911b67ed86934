"""Files that a person names, whatever they turn out to be."""

import os
import tracemalloc

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from prico_agents import AgentError
from prico_agents.input_files import parse_yaml, read_json, read_text, read_yaml
from prico_agents.neural.checkpoint import CheckpointError, find_policy

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


def strange_files(folder):
    """One file of each kind that is none, with a word of why it is refused."""
    made = {
        "folder": "is a folder",
        "missing": "No such file",
        "dangling": "No such file",
        "looping": "symbolic links",
        "x" * 300: "too long",
        "nul\0": "cannot be the name of a file",
        "binary": "not text in UTF-8",
        "utf-16": "not text in UTF-8",
    }
    (folder / "folder").mkdir(exist_ok=True)
    for name, target in (("dangling", "nowhere"), ("looping", "looping")):
        if not os.path.lexists(folder / name):
            (folder / name).symlink_to(folder / target)
    (folder / "binary").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (folder / "utf-16").write_text("agent: corn", encoding="utf-16")
    return {folder / name: says for name, says in made.items()}


@pytest.mark.parametrize("read", [read_text, read_yaml, read_json])
def test_whatever_is_no_file_is_refused_in_one_line(read, tmp_path):
    for path, says in strange_files(tmp_path).items():
        with pytest.raises(AgentError, match=says) as refused:
            read(path, AgentError)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty", "/dev/urandom"])
@pytest.mark.skipif(os.name == "nt", reason="devices are files elsewhere")
def test_a_device_is_refused_before_it_is_read(device, tmp_path):
    if not os.path.exists(device):
        pytest.skip("there is no such device here")
    link = tmp_path / "link.yaml"
    link.symlink_to(device)
    for path in (link, type(link)(device)):
        with pytest.raises(AgentError, match="it is a device"):
            read_yaml(path, AgentError)


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root reads all")
def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    (tmp_path / "secret").touch(mode=0)
    with pytest.raises(AgentError, match="Permission denied"):
        read_text(tmp_path / "secret", AgentError)


def test_a_huge_file_is_refused_without_reading_it(tmp_path):
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(200 * 2**30)  # takes no space on the disk
    tracemalloc.start()
    try:
        for read in (read_yaml, lambda path, refuse: read_text(path, refuse, 10_000)):
            with pytest.raises(AgentError, match="is larger than the"):
                read(huge, AgentError)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_the_mark_that_some_editors_begin_a_file_with_is_no_part_of_it(tmp_path):
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbfagent: corn\r\n")
    assert read_yaml(tmp_path / "bom.yaml", AgentError) == {"agent": "corn"}
    (tmp_path / "empty.yaml").touch()
    assert read_yaml(tmp_path / "empty.yaml", AgentError) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 300_000, "nests deeper than 20"),
        ("{a: " * 300_000, "nests deeper than 20"),
        ("- " * 300_000 + "a", "nests deeper than 20"),
        ("? " * 300_000 + "a", "nests deeper than 20"),
        (BOMB, "references"),
        ("a: &a [*a]", "references"),
        ("a: &a {<<: *a}", "references"),
        ("[" + "1," * 30_000 + "]", "more than 20,000 values"),
        ("agent: corn\nagent: builder", "'agent' twice"),
        ("a: !!python/object/apply:os.system [echo]", "could not determine a constructor"),
        ("a: !!python/name:os.system", "could not determine a constructor"),
        ("a: !!int twelve", "invalid literal"),
        ("a: !!bool maybe", "maybe"),
        ("a: !!timestamp soon", "."),
        ("a: 2001-13-45", "month"),
        ("a: " + "9" * 5_000, "integer string conversion"),
        ("a: 0x" + "f" * 5_000, "a whole number beyond"),
        ("a: !!float 1:" + ":1" * 400, "."),
        ("a: [1, {b: 123456789012345678901234567890}]", "a whole number beyond"),
        ("a: \0", "special characters"),
        ("a: *nobody", "undefined alias"),
        ("a: b: c", "mapping values"),
        ("--- 1\n--- 2", "expected a single document"),
        ("? [a]\n: b", "unhashable"),
        ("=", "."),
    ],
    ids=lambda value: value[:24],
)
def test_yaml_that_no_settings_need_is_refused_in_one_line(text, says):
    with pytest.raises(ValueError, match=says) as refused:
        parse_yaml(text)
    assert "\n" not in str(refused.value)


def test_values_that_stand_for_each_other_are_read():
    shared = ["corn", "builder"]
    text = yaml.safe_dump({"agents": shared, "curve": shared})
    assert "*id001" in text
    assert parse_yaml(text) == {"agents": shared, "curve": shared}


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from("ab1.:-?*&!<>|[]{}, \n\"'#%@=~0xeE_+"), max_size=40))
def test_any_text_is_read_as_yaml_or_refused_in_words(text):
    complaint = None
    try:
        parse_yaml(text)
    except ValueError as error:
        complaint = error
    assert complaint is None or (type(complaint) is ValueError and str(complaint))


@settings(max_examples=80, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=8,
    )
)
def test_what_is_read_is_what_the_library_reads(value):
    text = yaml.safe_dump(value, allow_unicode=True)
    assert repr(parse_yaml(text)) == repr(yaml.safe_load(text))


@pytest.mark.parametrize(
    "blob", [b"\xff\xfe", b"", b"../../x", b"a\0b", b"x" * 5_000, b"/etc/passwd", b"a\nb", b"~"]
)
def test_a_run_whose_newest_checkpoint_has_no_name_is_refused(blob, tmp_path):
    (tmp_path / "latest").write_bytes(blob)
    with pytest.raises(CheckpointError) as refused:
        find_policy(tmp_path)
    assert "\n" not in str(refused.value)
