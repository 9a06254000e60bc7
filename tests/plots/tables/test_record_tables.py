"""Cells of tables: the number in their text, and the value to sort by."""

from plots.tables import record_tables


def test_what_a_cell_says_is_read_as_a_number():
    said = ["1.23† ± 4 %", "−3.4 %", "2²⁰", "1.50 ms", "250\u2009000", "u64", "1 of 13", "16T", ""]
    assert [record_tables.leading_number(text) for text in said] == [
        1.23,
        -0.034,
        1 << 20,
        0.0015,
        250000,
        None,
        1,
        None,
        None,
    ]


def test_a_value_to_sort_by_is_written_where_the_text_does_not_tell_it():
    cells = [
        record_tables.Cell("1.50 ms", 0.0015),
        record_tables.Cell("1 of 13", 1 / 13),
        record_tables.Cell("<b>", 2.0, "id"),
    ]
    table = record_tables.Table("t", [record_tables.Column("a", True)] * 3, [cells])
    assert table.aligned == " n1 n2 n3"
    assert table.body == '<tr><td>1.50 ms<td data-sort=0.0769231>1 of 13<td class="id" data-sort=2>&lt;b&gt;'
