"""The four kinds of blocks, and no fifth: what a result shows is said once, and painted by terminals and HTML.

A block holds values and how they become texts; where they stand, and what a narrow page leaves out,
is the painter's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .numbers import Form, format_value


class Fact(NamedTuple):
    """Something known, with its name.

    Attributes
    ----------
    name : str
        What is known: ``"exploitability"``.
    value : str, number, sequence of numbers, or mapping of names to numbers
        The value; several stand beside each other.
    form : str or callable
        How each number becomes a text.
    note : str
        What is said behind the value: its unit, of whom it is.
    meaning : str
        What the name stands for, where there is room for a definition; terminals leave it out.
    leads : bool
        Whether it is what one looks for first.
    is_code : bool
        Whether the value is code, such as an identifier.
    """

    name: str
    value: Any
    form: Form = ""
    note: str = ""
    meaning: str = ""
    leads: bool = False
    is_code: bool = False

    @property
    def texts(self) -> list[str]:
        """The value as texts, one for each number."""
        if isinstance(self.value, str):
            return [self.value]
        if isinstance(self.value, Mapping):
            numbers = self.value.items()
            return [f"{name} {format_value(number, self.form)}" for name, number in numbers]
        if isinstance(self.value, Sequence):
            return [format_value(number, self.form) for number in self.value]
        return [format_value(self.value, self.form)]


class Rest(NamedTuple):
    """What is left out.

    Attributes
    ----------
    text : str
        How much it is: "and 12 more infosets".
    remedy : str
        How the command shows it: "--json lists all"; painters other than its own leave this out.
    """

    text: str
    remedy: str = ""


class Facts(NamedTuple):
    """What is known of one thing, and sentences about it.

    Attributes
    ----------
    lines : sequence of Fact, str or Rest
        The facts; a text is a sentence, which stands by itself.
    title : str
        Of what they are.
    about : str
        What is said beside the title.
    is_folded : bool
        Whether it is closed until it is opened, where that is possible.
    """

    lines: Sequence[Fact | str | Rest] = ()
    title: str = ""
    about: str = ""
    is_folded: bool = False

    @property
    def runs(self) -> Iterator[list[Fact] | str | Rest]:
        """The lines in their order, facts that follow each other together."""
        run: list[Fact] = []
        for line in self.lines:
            if isinstance(line, Fact):
                run.append(line)
                continue
            if run:
                yield run
                run = []
            yield line
        if run:
            yield run


class Column(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    heading : str
        What the values are, and their unit.
    values : sequence
        A value for each row: texts, numbers, or (with ``bars``) mappings of names to shares.
    form : str or callable
        How a value becomes a text; empty where the values are texts, which stand on the left.
    bars : bool
        Whether each share has a bar as long.
    longest : float
        The share whose bar is as long as there is room for.
    leaves : int
        Where a page is too narrow, columns leave in this order, from 1 on; those of 0 stay.
    leaves_last : bool
        Whether it leaves after all of these, before a word of the longest texts is broken.
    links : sequence of str
        The addresses to which the values are linked, where that is possible; none, if they are not.
    """

    heading: str
    values: Sequence[Any]
    form: Form = ""
    bars: bool = False
    longest: float = 1.0
    leaves: int = 0
    leaves_last: bool = False
    links: Sequence[str] = ()

    @property
    def is_text(self) -> bool:
        """Whether it is aligned to the left."""
        return self.form == "" or self.bars

    @property
    def holds_mixes(self) -> bool:
        """Whether its values are mappings of names to shares."""
        return self.bars and len(self.values) > 0 and isinstance(self.values[0], Mapping)

    @property
    def texts(self) -> list[str]:
        """The values as texts."""
        return [format_value(value, self.form) for value in self.values]


class Table(NamedTuple):
    """Rows of values.

    Attributes
    ----------
    columns : sequence of Column
        The columns, of equal length.
    title : str
        What the table holds, with the unit that all of its numbers share.
    note : str
        What its headings mean, in sentences.
    rest : Rest or None
        The rows that it leaves out.
    first_leads : bool
        Whether the first row is the one that one looks for first.
    has_total : bool
        Whether the first row tells of all others together.
    is_small : bool
        Whether it is a few numbers, which stand without lines.
    is_long : bool
        Whether it is too long for a terminal, whose command writes it to a file.
    """

    columns: Sequence[Column]
    title: str = ""
    note: str = ""
    rest: Rest | None = None
    first_leads: bool = False
    has_total: bool = False
    is_small: bool = False
    is_long: bool = False

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The values, row by row."""
        return list(zip(*(column.values for column in self.columns), strict=True))


class Figure(NamedTuple):
    """A picture; terminals leave it out.

    Attributes
    ----------
    kind : str
        Its name in :data:`.registry.PICTURES`.
    of : object
        What is drawn.
    description : str
        What it shows, for those who do not see it.
    options : mapping
        Further arguments of what draws it.
    """

    kind: str
    of: Any
    description: str
    options: Mapping[str, Any] = {}


class Cell(NamedTuple):
    """A cell of a grid.

    Attributes
    ----------
    name : str
        What it is: ``"AKs"``.
    weight : float
        How much of it is there, from 0 to 1.
    shares : sequence of float
        How much of that each key has; they sum to 1, or to 0 where nothing is known.
    group : str
        Cells of a group stand in a line, where the grid has no sides.
    text : str
        What stands in the cell, in the place of shares.
    """

    name: str
    weight: float
    shares: Sequence[float]
    group: str = ""
    text: str = ""


class Key(NamedTuple):
    """What a colour of a grid means.

    Attributes
    ----------
    name : str
        ``"B120"``.
    words : str
        The same in words: ``"bet 120"``.
    letter : str
        What stands for it where there are no colours.
    colour : int
        Its number in :data:`.palette.COLOURS`.
    share : float
        How much it has of all cells together.
    """

    name: str
    words: str
    letter: str
    colour: int
    share: float


class Grid(NamedTuple):
    """Cells in rows, each divided between some keys.

    Attributes
    ----------
    keys : sequence of Key
        What the colours mean; none where the cells show how much of each is there, and no more.
    cells : sequence of Cell
        Row by row; none where the keys are all that there is to show.
    side : int
        Cells of a row; 0 where the cells stand in groups.
    note : str
        What the weights beside the names are, where some are between 0 and 1.
    picture : Figure or None
        The cells as a picture, which stands in their place where there are pictures.
    """

    keys: Sequence[Key] = ()
    cells: Sequence[Cell] = ()
    side: int = 0
    note: str = ""
    picture: Figure | None = None


Block = Facts | Table | Grid | Figure
