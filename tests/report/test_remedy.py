"""Where a table or a figure is empty, a person is told what to do, and can do it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_up import made_up

from votewise.evidence.figures import FIGURES, figure
from votewise.evidence.tables import TABLES, table
from votewise.report.remedy import remedy
from votewise.studies import STUDIES, study

EMPTY = {
    preset: replace(made_up(preset), table=made_up(preset).table.clear(), curves=()) for preset in ("demo", "paper")
}


@pytest.mark.parametrize("preset", EMPTY)
@pytest.mark.parametrize(
    ("make", "number"),
    [
        pytest.param(make, number, id=f"{make.__name__}-{number}")
        for make, numbers in ((table, TABLES), (figure, FIGURES))
        for number in numbers
    ],
)
def test_every_empty_table_and_figure_names_the_commands_that_fill_it(make, number, preset):
    missing = make(number, EMPTY[preset]).missing
    found = remedy(missing, EMPTY[preset])
    assert found["text"].startswith(missing)
    assert found["commands"]
    for command in found["commands"]:
        name, *options = command.removeprefix("votewise reproduce ").split()
        assert name in STUDIES
        assert options == [*([] if preset == "demo" else ["--preset", "paper"]), "--evidence", "--store", "STORE"]


def test_other_epochs_are_asked_for_again():
    results = EMPTY["demo"]
    plans = {name: study(name).changed(epochs=3) for name in ("main", "ablation")}
    (command,) = remedy("This table needs runs of the study 'sparse' (soft, sls).", replace(results, plans=plans))[
        "commands"
    ]
    assert command == "votewise reproduce sparse --epochs 3 --evidence --store STORE"


def test_a_comparison_of_ones_own_is_told_that_the_table_is_the_papers():
    plan = study("main").model_copy(update={"name": "mine"})
    found = remedy(
        "This table needs runs of the study 'sparse' (soft, sls).", replace(EMPTY["demo"], plans={"main": plan})
    )
    assert found["commands"] == []
    assert found["text"] == (
        "This table belongs to the paper’s studies: it needs runs of the study 'sparse' (soft, sls), and this comparison has none."
    )
