"""The text of an input for readers."""

import pytest

from plots.records.case import input_text


@pytest.mark.parametrize(
    "distribution, text",
    [
        ("uniform", "uniform"),
        ("zipf:theta=0.75,map=hashed", "zipf:theta=0.75,map=hashed"),
        ("file:name=keys.npy,digest=024f311401fbac5b", "keys.npy (024f)"),
        ("file:name=a%2Cb%25.npy,column=delay,digest=161273b77212e5c4", "a,b%.npy: delay (1612)"),
        ("file:name=keys.npy,digest=024f311401fbac5b,window=7", "keys.npy, window=7 (024f)"),
        ("file:name=%E2%80%AEx,digest=024f311401fbac5b", "%E2%80%AEx (024f)"),  # a mark that turns the direction
        ("lines:name=words.txt,digest=024f311401fbac5b,sample=yes", "words.txt, sample=yes (024f)"),
        ("file", "file"),
        ("file:digest=1", "file:digest=1"),
    ],
)
def test_a_file_is_shown_by_its_name(distribution, text):
    assert input_text(distribution) == text
