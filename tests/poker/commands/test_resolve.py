"""``equilibrist solve --streets`` and ``equilibrist resolve``: a small file, and a later street solved again."""

SPOT = "holdem(board='KdQd2d7d', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%; a')"


def test_a_later_street_is_solved_again(run, tmp_path):
    folder = str(tmp_path / "run")
    solved = run("solve", SPOT, "--until", "1%", "--save", folder, "--streets", "1")
    assert solved.code == 0
    assert "% of the pot" in solved.out
    assert "% of pot" in solved.out  # a column of the table
    told = run("resolve", folder, "--line", "X-X", "--board", "3c", "--until", "1%", "--json").json
    assert told["exploitability_percent"] <= 1
    assert told["pot"] == 100
    river = str(tmp_path / "river")
    out = run(
        "resolve",
        folder,
        "--line",
        "X-X",
        "--board",
        "3c",
        "--until",
        "1%",
        "--save",
        river,
        "--unit",
        "bb=2",
    ).out
    assert "OOP after X-X, board KdQd2d7d3c, pot 50 bb" in out
    assert "pot 200" in run("show", river, "--line", "B100").out
    assert run("plot", river, "--line", "B100", "--hand", "KhKs", "--json").json["files"] == [
        f"{river}/range.svg"
    ]
    run("resolve", folder, "--line", "X-B7").fails(
        2, "line: after X there are X, B100; got 'B7' in 'X-B7'"
    )
    run("solve", "--resume", folder, "-n", "9").fails(
        1, "This solution holds no regrets to go on with"
    )
    run("solve", SPOT, "--streets", "1").fails(2, "save_streets=1 says what to save")
    run("solve", SPOT, "--until", "x%").fails(
        2, "until must be a number above 0, or a share of the pot such as '0.5%'"
    )
