"""Routes of a solved game: infosets, histories and explanations are those of the library, or of a short recursion."""

import itertools

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.web.workspace import Workspace
from support.holdem_rules import cards, strength
from support.workspaces import OpenWorkspace


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    found = {
        "kuhn": eq.solve("kuhn", "cfr", iterations=100, record="all", save=folder / "kuhn"),
        "leduc": eq.solve("leduc", "cfr+", iterations=30, save=folder / "leduc"),
        "sampled": eq.solve(
            "kuhn",
            "cfr",
            sampling="external(tree=False)",
            iterations=50,
            seed=1,
            save=folder / "sampled",
        ),
        "exact": eq.exact("kuhn"),
    }
    found["exact"].save(folder / "exact")
    eq.solve("leduc", iterations=5, form="cards", save=folder / "cards")
    spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    eq.solve(spot, iterations=5, save=folder / "spot")
    return folder, found


@pytest.fixture(scope="module")
def workspace(solved):
    """Give the workspace that ``client`` serves: of all tests, each run is loaded once."""
    return OpenWorkspace(solved[0])


def test_overview(get, solved):
    found, solution = get("kuhn/overview"), solved[1]["kuhn"]
    assert (found["infosets"], found["players"], found["recorded"]) == (12, 2, True)
    assert found["measures"]["exploitability"] == solution.exploitability
    assert "perfect opponent" in found["quality"]
    assert "Nobody knows" in get("sampled/overview")["quality"]
    assert get("exact/overview")["explains"] is False


def test_hands_of_omaha_stand_below_their_decisions_with_what_they_make(make_client, tmp_path):
    """More infosets than are sorted by name: board, line and hand are split all the same."""
    game = eq.poker.Omaha("Kh9s4d7c", "KKQJ,AAKK", "99AK,77AK", pot=100, stack=100, bets="50%")
    solution = eq.solve(game, iterations=1, save=tmp_path / "omaha")
    client = make_client(Workspace(tmp_path))
    about = client.get("/api/runs/omaha/overview").json()
    assert about["title"] == "Omaha Kh9s4d 7c, pot 100, stacks 100"
    assert about["names"] == ["OOP", "IP"]
    assert "equilibrist show" in about["lacks"]
    assert [row["spot"] for row in client.get("/api/runs").json()["runs"]] == [True]
    names = list(solution.strategy.infosets)
    assert len(names) > 20_000
    found = client.get("/api/runs/omaha/infosets", params={"count": 400}).json()
    decisions = {(player, key.partition(" ")[2]) for player, key, _ in names}
    assert (found["grouped"], found["total"]) == (True, len(names) + len(decisions))
    last = None
    for row in found["rows"]:
        if "group" in row:
            last = row["player"], row["group"]
            continue
        assert (row["player"], row["history"]) == last
        assert row["infoset"] == f"{row['holding']} {row['history']}"
        assert row["made"] == game.describe(row["holding"], game.board)[1]
    search = {"search": "9c9hAsKd", "count": 1000}
    rows = client.get("/api/runs/omaha/infosets", params=search).json()["rows"]
    expected = [name for name in names if name.key.startswith("AsKd9h9c")]
    assert rows == [] or len([row for row in rows if "infoset" in row]) == len(expected)


def test_all_infosets_in_the_order_of_tables(get, solved):
    found = get("leduc/infosets", count=1000)
    strategy = solved[1]["leduc"].strategy
    rows = [row for row in found["rows"] if "infoset" in row]
    assert [(row["player"], row["infoset"]) for row in rows] == list(strategy)
    assert found["infosets"] == len(rows) == 288
    assert (
        found["total"]
        == len(found["rows"])
        == 288 + len({(row["player"], row["history"]) for row in rows})
    )
    for row in rows:
        mix = dict(zip(row["actions"], row["probabilities"], strict=True))
        assert mix == pytest.approx(strategy[row["player"], row["infoset"]])
    headings = [row for row in found["rows"] if "group" in row]
    after = [found["rows"][found["rows"].index(row) + 1] for row in headings]
    assert [row["group"] for row in headings] == [row["history"] for row in after]


def test_parts_of_the_table(get):
    every = get("leduc/infosets", count=1000)["rows"]
    assert get("leduc/infosets", start=100, count=7)["rows"] == every[100:107]
    second = get("leduc/infosets", player=1, count=1000)
    assert second["rows"] == [row for row in every if row["player"] == 1]
    found = get("leduc/infosets", search="K cr", count=1000)
    assert {row["infoset"] for row in found["rows"] if "infoset" in row} == {
        row["infoset"]
        for row in every
        if "infoset" in row and "k" in row["infoset"].lower() and "cr" in row["infoset"]
    }


@pytest.mark.parametrize("order", ["reach", "loss", "regret"])
def test_sorted_by_a_number(get, order):
    rows = get("leduc/infosets", order=order, count=1000)["rows"]
    numbers = [row[order] if row[order] is not None else -np.inf for row in rows]
    assert len(rows) == 288
    assert numbers == sorted(numbers, reverse=True)


def test_what_play_does_not_come_to_is_marked(make_client, tmp_path):
    eq.solve("leduc", iterations=300, save=tmp_path / "nash")
    eq.solve("leduc", iterations=300, concept="floors(0.0001)", save=tmp_path / "floors")
    client, marked = make_client(Workspace(tmp_path)), {}
    for name in ("nash", "floors"):
        rows = client.get(f"/api/runs/{name}/infosets?count=1000").json()["rows"]
        strategy = eq.load_solution(tmp_path / name).strategy
        off_path = eq.evaluate("leduc", strategy, off_path=True).off_path
        uniform = eq.evaluate("leduc", {}, missing="uniform", off_path=True).off_path
        rare = {
            (infoset.player, infoset.key)
            for infoset, reach, often in zip(
                off_path.infosets,
                off_path.own_reach * off_path.cf_reach,
                uniform.own_reach * uniform.cf_reach,
                strict=True,
            )
            if reach <= 0.001 * often
        }
        assert {(row["player"], row["infoset"]) for row in rows if row.get("off_path")} == rare
        marked[name] = {row["off_path"] for row in rows if row.get("off_path")}
    assert "promises nothing" in marked["nash"].pop()
    assert "every action keeps 0.0001" in marked["floors"].pop()
    quality = {name: client.get(f"/api/runs/{name}/overview").json()["quality"] for name in marked}
    assert "answering everywhere" not in quality["nash"]
    assert (
        f"price of answering everywhere: {eq.load_solution(tmp_path / 'floors').exploitability:.2g} a game"
        in quality["floors"]
    )


def test_losses_sum_to_nash_conv(get, solved):
    for name in ("kuhn", "leduc"):
        rows = get(f"{name}/infosets", order="loss", count=1000)["rows"]
        assert sum(row["loss"] for row in rows) == pytest.approx(
            solved[1][name].nash_conv, abs=1e-12
        )


def test_an_infoset(get, solved):
    found, solution = get("kuhn/infoset", player=0, infoset="Qpb"), solved[1]["kuhn"]
    values = eq.evaluate("kuhn", solution.strategy, action_values=True).action_values["Qpb"]
    assert dict(zip(found["actions"], found["action_values"], strict=True)) == pytest.approx(
        {name: one.value for name, one in values.items()}
    )
    assert found["best_values"] == pytest.approx([one.best_value for one in values.values()])
    mix = found["probabilities"]
    assert found["value"] == pytest.approx(np.dot(mix, found["action_values"]))
    assert np.dot(mix, found["regrets"]) == pytest.approx(0, abs=1e-12)
    assert found["regret"] == pytest.approx(max(found["regrets"]))
    kept = solution.recording.at((0, "Qpb"))
    assert found["recorded"]["iteration"] == kept.iteration.tolist()
    assert found["recorded"]["average_strategy"][-1] == pytest.approx(mix)
    assert found["regret_sums"] == pytest.approx(kept.regret_sum[-1])
    assert get("leduc/infoset", player=0, infoset="K")["recorded"] is None


def value_of(game, strategy, state):
    """Return what each player receives on average from a state on."""
    player = game.player(state)
    if player == eq.TERMINAL:
        return np.array(game.payoffs(state))
    actions = game.actions(state)
    mix = (
        game.probabilities(state)
        if player == eq.CHANCE
        else strategy[player, game.infoset(state)].values()
    )
    return sum(
        p * value_of(game, strategy, game.next(state, a)) for p, a in zip(mix, actions, strict=True)
    )


@pytest.mark.parametrize("path", ["", "1", "0.1", "2.0.1", "2.0.0.1"])
def test_histories_against_a_recursion(get, solved, path):
    game, strategy = eq.load("kuhn"), solved[1]["kuhn"].strategy
    state, moves = game.start(), [int(number) for number in path.split(".") if number]
    for number in moves:
        state = game.next(state, game.actions(state)[number])
    found = get("kuhn/tree", path=path)
    assert found["value"] == pytest.approx(value_of(game, strategy, state))
    assert found["player"] == game.player(state)
    assert len(found["steps"]) == len(moves)
    for move, action in zip(found["moves"], game.actions(state), strict=True):
        assert move["value"] == pytest.approx(value_of(game, strategy, game.next(state, action)))
    total = found["chance_reach"] * np.prod(found["reach"])
    expected = 1.0
    for depth, number in enumerate(moves):
        expected *= get("kuhn/tree", path=".".join(map(str, moves[:depth])))["moves"][number][
            "probability"
        ]
    assert total == pytest.approx(expected)


def test_an_end_and_a_part_of_the_moves(get):
    end = get("kuhn/tree", path="2.0.0.0")
    assert (end["kind"], end["value"], end["moves"]) == ("end", [1.0, -1.0], [])
    part = get("kuhn/tree", start=1, count=1)
    assert (part["total"], [move["action"] for move in part["moves"]]) == (3, ["Q"])


def test_a_history_of_an_infoset(get):
    found = get("leduc/tree", player=1, infoset="Kc")
    assert (found["player"], found["infoset"]) == (1, "Kc")
    assert get("leduc/tree", path=".".join(map(str, found["path"]))) == found


def test_infosets_of_the_card_form_have_values(get):
    rows = get("cards/infosets", order="loss", count=1000)["rows"]
    assert (
        0 < sum(row["loss"] for row in rows) <= get("cards/overview")["measures"]["nash_conv"]
    )  # boards that are alike are one
    assert all(row["value"] is not None for row in rows if row["reach"] > 0)


def test_a_sampled_run_has_what_it_met(get, solved):
    rows = [row for row in get("sampled/infosets", count=100)["rows"] if "infoset" in row]
    strategy = solved[1]["sampled"].strategy
    for row in rows:
        if (row["player"], row["infoset"]) in strategy:
            mix = dict(zip(row["actions"], row["probabilities"], strict=True))
            assert mix == pytest.approx(strategy[row["player"], row["infoset"]])
    assert get("sampled/tree")["kind"] == "chance"


def test_an_explanation_is_that_of_the_library(get):
    found = get("kuhn/explain", player=0, infoset="Qpb", iteration=3)
    path = get("kuhn/tree", player=0, infoset="Qpb")
    deal = [step["action"] for step in path["steps"] if step["player"] == -1]
    expected = eq.learn.explain("kuhn", "cfr", iteration=3, deal=deal)
    assert found["deal"] == deal
    assert found["updates"] == [
        {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in update._asdict().items()
        }
        for update in expected.updates.values()
    ]
    assert [step["sentence"] for step in found["story"]] == [
        step.sentence for step in expected.story()
    ]
    assert get("kuhn/explain", deal="QK", iteration=2)["deals"] == ["QK"]


@pytest.mark.parametrize(
    ("path", "fields", "status", "match"),
    [
        ("kuhn/infoset", {"player": 0, "infoset": "Z"}, 404, "has no infoset 'Z'"),
        ("kuhn/infoset", {"player": 0}, 400, "infoset is missing"),
        ("kuhn/infosets", {"order": "luck"}, 400, "order must be one of"),
        ("kuhn/infosets", {"player": 7}, 400, "player must be"),
        ("kuhn/tree", {"path": "0.9"}, 400, "there are 2 moves after 1 of them"),
        ("kuhn/tree", {"path": "x"}, 400, "numbers of moves"),
        ("kuhn/explain", {"iteration": 101}, 400, "iteration must be"),
        ("kuhn/explain", {"deal": "QQ"}, 400, "does not fit"),
        ("exact/explain", {}, 422, "no iterations"),
        ("leduc/explain", {"max_nodes": 10}, 400, "10"),
        ("cards/tree", {}, 422, "form='sequence'"),
        ("spot/infosets", {}, 422, "looked at by its lines"),
    ],
)
def test_what_is_not_there(get, path, fields, status, match):
    assert match in get(path, status, **fields)["error"]["message"]


def test_an_infoset_of_one_player_needs_no_player(get):
    """As in an address that somebody has shortened."""
    assert get("kuhn/infoset", infoset="Kp") == get("kuhn/infoset", infoset="Kp", player=1)
    assert "no infoset 'zz'" in get("kuhn/infoset", 404, infoset="zz")["error"]["message"]


def equity_of_omaha(hand, board, ranks):
    """Return the equity of a hand on a river against all hands of four ranks, by pairs of cards and triples."""

    def best(four):
        return max(
            strength([*two, *three])
            for two in itertools.combinations(four, 2)
            for three in itertools.combinations(board, 3)
        )

    own = best(hand)
    left = [card for card in range(52) if card not in (*hand, *board) and card // 4 in ranks]
    others = [
        four
        for four in itertools.combinations(left, 4)
        if sorted(card // 4 for card in four) == ranks
    ]
    shares = [(own > best(other)) + (own == best(other)) / 2 for other in others]
    return sum(shares) / len(shares)


def test_a_hand_of_omaha_has_its_ev_and_equity(make_client, tmp_path):
    game = eq.poker.Omaha("Kh9s4d7c2h", "AAKK", "99AK", pot=100, stack=100, bets="50%")
    eq.solve(game, iterations=10, save=tmp_path / "omaha")
    client = make_client(Workspace(tmp_path))
    value = client.get("/api/runs/omaha/overview").json()["value"]
    asked = {"infoset": "AdAcKdKc Kh9s4d7c2h", "player": 0}
    decision = client.get("/api/runs/omaha/infoset", params=asked).json()["decision"]
    assert decision["pot"] == 100
    assert decision["evs"] == pytest.approx(value)  # the first decision is the whole spot
    expected = equity_of_omaha(cards("AdAcKdKc"), cards("Kh9s4d7c2h"), [7, 7, 11, 12])
    assert decision["equity"] == pytest.approx(expected)
    assert sum(decision["equities"]) == pytest.approx(1)
