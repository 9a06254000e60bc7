"""Numbers as text."""

import pytest

from plots.records.quantities import binary_text, count_text, digits, percent, seconds_text, signed_percent


@pytest.mark.parametrize(
    "text, wanted",
    [
        (digits(0.0123456), "0.0123"),
        (digits(9.996), "10.0"),
        (digits(12345.6), "12300"),
        (digits(0), "0"),
        (seconds_text(0.0051), "5.10 ms"),
        (seconds_text(3e-8), "30.0 ns"),
        (count_text(1 << 20), "2²⁰"),
        (count_text(1000003), "1\u2009000\u2009003"),
        (binary_text(64 << 20), "64M"),
        (binary_text(1 << 18), "256K"),
        (signed_percent(-0.034), "−3.4 %"),
        (signed_percent(0.42), "+42 %"),
        (percent(-0.052), "−5.2 %"),
        (percent(0.052), "5.2 %"),
    ],
)
def test_numbers_are_written_so(text, wanted):
    assert text == wanted
