"""Runs told to trackers: what arrives, read back with TensorBoard's and MLflow's own readers, and what goes wrong."""

import importlib.util
import signal
import socket
import warnings
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.track import buffered as careful
from support.command import call, environment, spawn

HAS_MLFLOW = importlib.util.find_spec("mlflow") is not None
needs_mlflow = pytest.mark.skipif(
    not HAS_MLFLOW, reason="MLflow is not installed (the extra 'mlflow')"
)
PNG = b"\x89PNG\r\n\x1a\n"


class Diary:
    """A tracker that writes down what it hears."""

    def __init__(self):
        self.heard = []

    def on_start(self, about):
        self.about = about
        self.heard.append("begin")

    def on_checkpoint(self, point):
        self.heard.append(point)

    def on_end(self, solution):
        self.solution = solution
        self.heard.append("finish")

    def on_error(self, error):
        self.error = error
        self.heard.append("fail")


@pytest.fixture
def no_pictures(monkeypatch):
    """Draw nothing, which takes most of the time."""
    monkeypatch.setattr(careful, "draw_pictures", lambda solution: ())


# --- what a run tells


def test_a_run_tells_its_beginning_checkpoints_and_end():
    diary, points = Diary(), []
    solution = eq.solve("kuhn", "dcfr", iterations=20, callbacks=[diary, points.append])
    assert diary.heard == ["begin", *solution.trace, "finish"]
    assert points == list(solution.trace)
    assert diary.solution is solution
    about = diary.about
    assert (about.game, about.experiment, about.name, about.folder, about.earlier) == (
        *("kuhn", "kuhn", "kuhn-dcfr"),
        None,
        (),
    )
    told = about.parameters
    assert (told["histories"], told["infosets"], told["iterations"]) == (58, 12, 20)
    assert (told["run_id"], told["algorithm.alternating"], told["fingerprint"]) == (
        solution.info.run_id,
        True,
        solution.info.game.fingerprint,
    )
    assert about.versions["numpy"] == np.__version__


def test_a_sampled_run_without_a_tree_is_told_of_as_well(tmp_path):
    diary = Diary()
    way = "external(tree=False, gigabytes=0.1)"
    eq.solve("kuhn(cards=4)", sampling=way, seed=7, iterations=4, callbacks=diary, save=tmp_path)
    assert diary.about.name == "kuhn(cards=4)-cfr-external(tree=False,gigabytes=0.1)-seed7"
    assert diary.about.parameters["seed"] == 7
    assert diary.about.folder == str(tmp_path.resolve())


def test_a_name_is_safe_as_that_of_a_folder():
    info = eq.solve("kuhn", iterations=1).info
    about = eq.track.About.of(
        replace(info, game=replace(info.game, name="../my games/x.py:Kuhn")),
        folder=None,
        earlier=(),
    )
    assert "/" not in about.name
    assert " " not in about.name


def test_a_resumed_run_tells_what_was_before(tmp_path):
    first = eq.solve("kuhn", iterations=20, save=tmp_path)
    diary = Diary()
    second = eq.solve(resume=tmp_path, iterations=40, callbacks=diary)
    grid = [point for point in first.trace if point.iteration != 20]  # where the old run ended
    assert diary.about.earlier == tuple(grid)
    assert diary.heard == ["begin", *second.trace[len(grid) :], "finish"]


def test_an_error_is_told_to_those_who_heard_of_the_beginning():
    def stumble(point):
        if point.iteration == 4:
            raise ZeroDivisionError

    class Broken(Diary):
        def on_start(self, about):
            raise eq.track.TrackingError("Out of order.")

    diary = Diary()
    with pytest.raises(ZeroDivisionError):
        eq.solve("kuhn", callbacks=[diary, stumble])
    assert diary.heard[-1] == "fail"
    assert isinstance(diary.error, ZeroDivisionError)
    diary, late = Diary(), Diary()
    with pytest.raises(eq.track.TrackingError, match=r"^Out of order\.$"):
        eq.solve("kuhn", callbacks=[diary, Broken(), late])
    assert (diary.heard, late.heard) == (["begin", "fail"], [])


def test_a_run_that_cannot_be_saved_has_a_result(tmp_path):
    folder = tmp_path / "run"

    class Saboteur(Diary):
        def on_start(self, about):
            super().on_start(about)
            folder.rmdir()
            folder.write_text("")  # a file where the folder was

    diary = Saboteur()
    with pytest.raises(eq.SolutionError, match="written"):
        eq.solve("kuhn", iterations=4, save=folder, callbacks=diary)
    assert diary.heard[-1] == "finish"


def test_ctrl_c_while_a_tracker_opens_is_heard_once_it_is_open():
    class Deaf(Diary):
        def on_start(self, about):
            with suppress(
                BaseException
            ):  # as where a library is interrupted in a callback that cannot raise
                signal.raise_signal(signal.SIGINT)
            super().on_start(about)

    deaf, late = Deaf(), Diary()
    with pytest.raises(KeyboardInterrupt):
        eq.solve("kuhn", callbacks=[deaf, late])
    assert (deaf.heard, late.heard) == (["begin", "fail"], [])
    assert isinstance(deaf.error, KeyboardInterrupt)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("error", [ValueError("no room"), KeyboardInterrupt()])
def test_a_tracker_that_fails_at_the_end_costs_no_result(error):
    class Late(Diary):
        def on_end(self, solution):
            raise error

    after = Diary()
    with pytest.warns(eq.track.TrackingWarning, match="^Late .* The solution itself is complete"):
        solution = eq.solve("kuhn", iterations=8, callbacks=[Late(), after])
    assert solution.iterations == 8
    assert after.heard[-1] == "finish"


def test_who_follows_nothing_pays_for_nothing(monkeypatch):
    monkeypatch.setattr(eq.track.About, "of", None)
    assert eq.solve("kuhn", iterations=8).iterations == 8


def test_a_tracker_of_a_comparison_hears_of_stages_and_ends_its_runs(no_pictures):
    class Impatient(Diary):
        stages = ()

        def on_stage(self, text):
            self.stages += (text,)

        def should_stop(self):
            return len(self.heard) > 3

    tracker = Impatient()
    comparison = eq.compare("kuhn", algorithms="cfr", iterations=1000, callbacks=tracker)
    assert (comparison.finished, tracker.solution.stop_reason) == (False, "stop")
    assert "Solving kuhn with cfr" in tracker.stages
    assert tracker.about.experiment == "compare kuhn"


def test_what_is_no_tracker_is_refused():
    with pytest.raises(eq.AlgorithmError, match=r"callbacks must be a callable, .* got 'mlflow'"):
        eq.solve("kuhn", callbacks="mlflow")
    with pytest.raises(eq.AlgorithmError, match=r"callbacks of compare must be a .* got 3"):
        eq.compare("kuhn", iterations=1, callbacks=[3])


# --- the ready trackers


class Flaky(careful.BufferedTracker):
    """A tracker whose store is away for some time."""

    def __init__(self, *, away, last=0):
        super().__init__()
        self.away, self.last, self.written, self.calls = away, last, [], []

    def _open(self, about):
        self.calls.append("open")
        return self.last

    def _write(self, points):
        if points[-1].iteration in self.away:
            raise eq.track.TrackingError("Nobody answers.")
        self.written += [point.iteration for point in points]

    def _write_result(self, solution, drawn):
        self.calls.append("keep")

    def _end(self, status):
        self.calls.append(status)


@pytest.mark.usefixtures("no_pictures")
def test_checkpoints_that_cannot_be_written_wait():
    tracker = Flaky(away={3, 4, 6})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eq.solve("kuhn", iterations=12, callbacks=tracker)
    assert tracker.written == [1, 2, 3, 4, 6, 8, 12]
    assert tracker.calls == ["open", "keep", "FINISHED"]
    tracker = Flaky(away={6, 8})
    with pytest.warns(
        eq.track.TrackingWarning, match=r"^Nobody answers\. The solution itself is complete"
    ):
        solution = eq.solve("kuhn", iterations=8, callbacks=tracker)
    assert (solution.iterations, tracker.written) == (8, [1, 2, 3, 4])


@pytest.mark.usefixtures("no_pictures")
def test_no_checkpoint_is_written_twice():
    """One run holds 1, …, 20, where it ended: what it kept is 1, …, 16, and at 20 it stops again."""
    old = eq.solve("kuhn", iterations=20)
    known = Flaky(away=(), last=20)
    eq.solve("kuhn", resume=old, iterations=20, callbacks=known)
    eq.solve("kuhn", resume=old, iterations=32, callbacks=known)
    assert known.written == [23, 32]
    new = Flaky(away=())
    eq.solve("kuhn", resume=old, iterations=32, callbacks=new)
    assert new.written == [1, 2, 3, 4, 6, 8, 12, 16, 23, 32]


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt, "KILLED"), (ZeroDivisionError, "FAILED")]
)
def test_a_run_is_never_left_open(error, status):
    def stumble(point):
        raise error

    tracker = Flaky(away=())
    with pytest.raises(error):
        eq.solve("kuhn", callbacks=[tracker, stumble])
    assert tracker.calls == ["open", status]


@pytest.mark.usefixtures("no_pictures")
def test_ctrl_c_ends_with_a_result_and_says_that_it_was_the_user():
    def press(point):
        if point.iteration == 4:
            signal.raise_signal(signal.SIGINT)

    tracker = Flaky(away=())
    solution = eq.solve("kuhn", iterations=1000, callbacks=[tracker, press])
    assert solution.stop_reason == "interrupt"
    assert tracker.calls == ["open", "keep", "KILLED"]
    assert tracker.written[-1] == solution.iterations < 1000


def test_unknown_numbers_are_left_out():
    point = eq.types.Checkpoint(4, 100, 0.5, (), (), {})
    assert careful.chart_values(point) == {"nodes_touched": 100.0, "seconds": 0.5}


def test_charts_of_three_players_have_their_largest_gain():
    point = eq.solve("kuhn(players=3)", iterations=8).final
    charts = careful.chart_values(point)
    assert charts["largest_gain"] == max(point.deviation_gains)
    assert not any("exploitability" in name for name in charts)
    hands = "AsAh,KsKh,JsJh,TsTh"
    spot = eq.poker.Holdem("2c3d7h8d9c", ranges=[hands] * 3, pot=3, stacks=1, bets="a")
    in_pot = careful.chart_values(eq.solve(spot, iterations=8).final)
    assert in_pot["largest_gain_percent"] == pytest.approx(100 * in_pot["largest_gain"] / 3)
    assert not any("exploitability" in name for name in in_pot)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tensorbord:runs", r"^There is no tracker 'tensorbord'\. Did you mean 'tensorboard'\?$"),
        ("wandb", r"^There is no tracker 'wandb'\. Known: mlflow, tensorboard\.$"),
        ("tensorboard", r"^TensorBoard needs a folder for its files: 'tensorboard:runs/tb'\.$"),
    ],
)
def test_mistaken_names(text, sentence, capsys):
    with pytest.raises(eq.track.TrackingError, match=sentence) as caught:
        eq.track.find(text)
    ran = call(capsys, "solve", "nosuchgame", "--track", text).fails(2, str(caught.value))
    assert ran.out == ""


def test_a_library_that_is_not_there_is_named(monkeypatch, capsys):
    monkeypatch.setattr(careful, "find_spec", lambda name: None)
    for name, text in (("mlflow", "mlflow"), ("tensorboard", "tensorboard:x")):
        sentence = f"{name} is not installed: pip install '.[{name}]' in a copy of the repository."
        call(capsys, "compare", "kuhn", "--track", text).fails(2, sentence)


# --- TensorBoard

tensorboard = pytest.mark.needs("tensorboard")


def events(folder):
    """Return what TensorBoard's reader finds in a folder, all of it."""
    from tensorboard.backend.event_processing import event_accumulator as module

    return module.EventAccumulator(str(folder), size_guidance={module.TENSORS: 0}).Reload()


def chart(folder, name):
    """Return the points of a chart: (step, number)."""
    from tensorboard.util.tensor_util import make_ndarray

    return [
        (point.step, make_ndarray(point.tensor_proto).item())
        for point in events(folder).Tensors(name)
    ]


def hparams(folder):
    """Return the parameters that the tab HParams shows, and how the run ended."""
    from tensorboard.plugins.hparams import api_pb2, metadata

    tags = events(folder).summary_metadata
    start = metadata.parse_session_start_info_plugin_data(
        tags[metadata.SESSION_START_INFO_TAG].plugin_data.content
    ).hparams
    end = metadata.parse_session_end_info_plugin_data(
        tags[metadata.SESSION_END_INFO_TAG].plugin_data.content
    )
    return start, api_pb2.Status.Name(end.status)


def place(folder, name, solution=None):
    """Return the subfolder of a run: its name ends in the run id."""
    run_id = "????????" if solution is None else solution.info.run_id[:8]
    (found,) = folder.glob(f"{name}-{run_id}")
    return found


@tensorboard
def test_tensorboard_holds_the_whole_run(tmp_path):
    solution = eq.solve("kuhn", "cfr", iterations=100, callbacks=eq.track.TensorBoard(tmp_path))
    folder = place(tmp_path, "kuhn-cfr", solution)
    trace = solution.trace
    single = np.float32
    assert chart(folder, "exploitability") == [
        (point.iteration, single(point.exploitability)) for point in trace
    ]
    assert chart(folder, "nodes_touched") == [
        (point.iteration, single(point.nodes_touched)) for point in trace
    ]
    assert chart(folder, "value/player_1") == [
        (point.iteration, single(point.value[1])) for point in trace
    ]
    assert chart(folder, "gain/player_0") == [
        (point.iteration, single(point.deviation_gains[0])) for point in trace
    ]
    tags = set(events(folder).Tags()["tensors"])
    assert "cce_distance" not in tags  # unknown in a two-player zero-sum game
    table = events(folder).Tensors("parameters")[0].tensor_proto.string_val[0].decode()
    assert "| algorithm | cfr |" in table
    start, status = hparams(folder)
    assert status == "STATUS_SUCCESS"
    assert start["algorithm"].string_value == "cfr"
    assert start["iterations"].number_value == 100
    for name in ("pictures/convergence", "pictures/strategy"):
        (picture,) = events(folder).Tensors(name)
        width, height, png = picture.tensor_proto.string_val
        assert png.startswith(PNG)
        assert (int(width), int(height)) == (int.from_bytes(png[16:20]), int.from_bytes(png[20:24]))
        assert picture.step == 100


@tensorboard
@pytest.mark.usefixtures("no_pictures")
def test_tensorboard_leaves_out_what_is_unknown(tmp_path):
    eq.solve(
        "kuhn",
        sampling="external(tree=False)",
        iterations=8,
        callbacks=eq.track.TensorBoard(tmp_path),
    )
    (folder,) = tmp_path.iterdir()
    charts = {
        tag
        for tag in events(folder).Tags()["tensors"]
        if not tag.startswith(("_", "pictures", "parameters"))
    }
    assert charts == {"nodes_touched", "seconds"}


@tensorboard
@pytest.mark.usefixtures("no_pictures")
def test_tensorboard_goes_on_with_a_resumed_run_and_with_no_other(tmp_path):
    runs, saved = tmp_path / "tb", tmp_path / "run"
    tracker = eq.track.TensorBoard(runs)
    first, second, third = (
        eq.solve("kuhn", "cfr", iterations=20, callbacks=tracker, save=save)
        for save in (None, saved, None)
    )
    assert len(list(runs.iterdir())) == 3
    whole = eq.solve(resume=saved, iterations=64, callbacks=eq.track.TensorBoard(runs))
    assert whole.info.run_id == second.info.run_id
    assert len(list(runs.iterdir())) == 3
    # Files of the same second are read in the order of their numbers as text: 10 before 9.
    steps = sorted(step for step, _ in chart(place(runs, "kuhn-cfr", second), "seconds"))
    assert steps == sorted({20, *(point.iteration for point in whole.trace)})
    for other in (first, third):
        assert [step for step, _ in chart(place(runs, "kuhn-cfr", other), "seconds")][-1] == 20
    eq.solve(resume=whole, iterations=90, callbacks=eq.track.TensorBoard(tmp_path / "elsewhere"))
    points = events(place(tmp_path / "elsewhere", "kuhn-cfr", whole)).Tensors("seconds")
    assert [point.step for point in points] == [*(point.iteration for point in whole.trace), 90]
    # Relative times are those of a run without a break.
    gaps = [later.wall_time - former.wall_time for former, later in pairwise(points)]
    assert gaps[0] == pytest.approx(whole.trace[1].seconds - whole.trace[0].seconds, abs=1e-6)


@tensorboard
def test_a_failed_run_says_so(tmp_path):
    def stumble(point):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        eq.solve("kuhn", "cfr", callbacks=[eq.track.TensorBoard(tmp_path), stumble])
    assert hparams(place(tmp_path, "kuhn-cfr"))[1] == "STATUS_FAILURE"
    assert [step for step, _ in chart(place(tmp_path, "kuhn-cfr"), "seconds")] == [1]


@contextmanager
def most_bytes(number):
    """Let no file grow beyond so many bytes, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (number, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@tensorboard
def test_a_full_disk_is_told_in_one_sentence(tmp_path, capfd):
    """There is room for the charts, none for the pictures."""
    with (
        most_bytes(30_000),
        pytest.warns(eq.track.TrackingWarning, match=r"^TensorBoard cannot write to .*too large"),
    ):
        solution = eq.solve("kuhn", "cfr", iterations=100, callbacks=eq.track.TensorBoard(tmp_path))
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    folder = place(tmp_path, "kuhn-cfr")
    assert [step for step, _ in chart(folder, "seconds")] == [
        point.iteration for point in solution.trace
    ]
    assert hparams(folder)[1] == "STATUS_SUCCESS"  # written after what found no room


@tensorboard
@pytest.mark.usefixtures("no_pictures")
def test_what_found_no_room_is_written_later(tmp_path):
    with ExitStack() as limit:

        def fill(point):
            if point.iteration == 8:
                limit.enter_context(
                    most_bytes(next(place(tmp_path, "kuhn-cfr").iterdir()).stat().st_size + 100)
                )
            if point.iteration == 32:
                limit.close()

        solution = eq.solve(
            "kuhn", "cfr", iterations=100, callbacks=[fill, eq.track.TensorBoard(tmp_path)]
        )
    assert [step for step, _ in chart(place(tmp_path, "kuhn-cfr"), "seconds")] == [
        point.iteration for point in solution.trace
    ]


@tensorboard
def test_a_folder_that_cannot_be_is_refused_before_solving(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    ran = call(capsys, "solve", "kuhn", "--track", f"tensorboard:{tmp_path / 'file'}", "--json")
    assert ran.code == 1
    assert "Nothing can be written to the folder" in ran.json["error"]


@tensorboard
@pytest.mark.usefixtures("no_pictures")
def test_a_comparison_has_a_folder_for_each_run(tmp_path, capsys):
    runs = tmp_path / "tb"
    arguments = (
        "compare",
        "kuhn",
        "-a",
        "cfr,dcfr",
        "--sampling",
        "full,external",
        "--seeds",
        2,
        "-n",
        8,
    )
    ran = call(capsys, *arguments, "--track", f"tensorboard:{runs}", "--json")
    assert (ran.code, ran.err) == (0, "")
    ways = ("", "-external-seed0", "-external-seed1")
    named = {path.name[:-9] for path in runs.iterdir()}  # without the run id
    assert named == {f"kuhn-{row}{way}" for row in ("cfr", "dcfr") for way in ways}
    names = {hparams(path)[0]["algorithm"].string_value for path in runs.iterdir()}
    assert names == {"cfr", "dcfr"}


@tensorboard
@pytest.mark.slow
@pytest.mark.usefixtures("no_pictures")
def test_an_extended_comparison_goes_on_in_its_folders(tmp_path):
    for iterations in (8, 32, 32):
        eq.compare(
            *("kuhn",),
            algorithms="cfr,dcfr",
            iterations=iterations,
            save=tmp_path / "out",
            callbacks=eq.track.TensorBoard(tmp_path / "tb"),
        )
    assert len(list((tmp_path / "tb").iterdir())) == 2
    steps = [step for step, _ in chart(place(tmp_path / "tb", "kuhn-dcfr"), "exploitability")]
    assert steps == [1, 2, 3, 4, 6, 8, 12, 16, 23, 32]


# --- MLflow


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return MLflow's client of a local database, which takes seconds to make, and a way to track to it."""
    pytest.importorskip("mlflow", reason="MLflow is not installed (the extra 'mlflow')")
    from mlflow import MlflowClient

    folder = tmp_path_factory.mktemp("mlflow")
    uri = f"sqlite:///{folder}/mlflow.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        patch.chdir(folder)  # where the artifacts go
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of SQLAlchemy, about MLflow
            client = MlflowClient(uri)
        yield client, uri


def runs(client, experiment):
    """Return the runs of an experiment, the oldest first."""
    number = client.get_experiment_by_name(experiment).experiment_id
    return client.search_runs([number], order_by=["attributes.start_time ASC"])


def history(client, run, name):
    """Return a metric: (step, number)."""
    return [
        (metric.step, metric.value) for metric in client.get_metric_history(run.info.run_id, name)
    ]


def paths(client, run, folder):
    """Return the artifacts in a folder."""
    return sorted(each.path for each in client.list_artifacts(run.info.run_id, folder))


def test_mlflow_holds_the_whole_run(store, capfd):
    client, uri = store
    solution = eq.solve("kuhn", "cfr", iterations=100, callbacks=eq.track.MLflow("whole", uri=uri))
    assert capfd.readouterr() == ("", "")  # MLflow says nothing of its database
    (run,) = runs(client, "whole")
    assert (run.info.status, run.info.run_name) == ("FINISHED", "kuhn-cfr")
    trace = solution.trace
    assert history(client, run, "exploitability") == [
        (point.iteration, point.exploitability) for point in trace
    ]
    assert history(client, run, "value/player_0") == [
        (point.iteration, point.value[0]) for point in trace
    ]
    assert history(client, run, "nodes_touched") == [
        (point.iteration, point.nodes_touched) for point in trace
    ]
    assert "cce_distance" not in run.data.metrics
    given = run.data.params
    assert (given["algorithm"], given["iterations"], given["infosets"]) == ("cfr", "100", "12")
    assert given["run_id"] == solution.info.run_id
    assert "until" not in given
    assert run.data.tags["version.numpy"] == np.__version__
    assert run.data.tags["stop_reason"] == "iterations"
    assert paths(client, run, "pictures") == ["pictures/convergence.png", "pictures/strategy.png"]
    assert {"run/checkpoint.npz", "run/solution.json", "run/strategy.csv"} <= set(
        paths(client, run, "run")
    )
    again = eq.load_solution(client.download_artifacts(run.info.run_id, "run"))
    assert again.strategy["Q"]["b"] == solution.strategy["Q"]["b"]


@pytest.mark.usefixtures("no_pictures")
def test_mlflow_goes_on_with_a_resumed_run(store):
    client, uri = store
    tracker = eq.track.MLflow("resumed", uri=uri, files=False)
    old = eq.solve("kuhn", "cfr", iterations=20, callbacks=tracker)
    eq.solve("kuhn", "cfr", iterations=20, callbacks=tracker)
    whole = eq.solve(
        resume=old, iterations=64, callbacks=eq.track.MLflow("resumed", uri=uri, files=False)
    )
    first, second = runs(client, "resumed")
    assert [step for step, _ in history(client, first, "seconds")] == sorted(
        {20, *(point.iteration for point in whole.trace)}
    )
    assert history(client, second, "seconds")[-1][0] == 20
    assert first.info.status == "FINISHED"
    assert paths(client, first, "run") == []


def test_mlflow_knows_how_a_run_ended(store):
    client, uri = store
    tracker = eq.track.MLflow("ends", uri=uri, files=False)

    def stumble(point):
        raise error

    for error in (ZeroDivisionError, KeyboardInterrupt):
        with pytest.raises(error):
            eq.solve("kuhn", "cfr", callbacks=[tracker, stumble])
    assert [run.info.status for run in runs(client, "ends")] == ["FAILED", "KILLED"]


@pytest.mark.usefixtures("no_pictures")
def test_a_comparison_is_one_experiment(store, capsys, monkeypatch):
    client, uri = store
    monkeypatch.delenv("MLFLOW_EXPERIMENT_NAME", raising=False)
    arguments = ("compare", "leduc(ranks=2)", "-a", "cfr,dcfr", "-n", 8)
    ran = call(capsys, *arguments, "--track", f"mlflow:{uri}", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = runs(client, "compare leduc(ranks=2)")
    assert [run.data.tags["algorithm"] for run in found] == ["cfr", "dcfr"]
    best = ran.json["results"][0]
    numbers = {run.data.tags["algorithm"]: run.data.metrics["exploitability"] for run in found}
    assert min(numbers, key=numbers.get) == best["algorithm"]


@needs_mlflow
def test_a_server_that_does_not_answer_is_refused_before_solving(capsys):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # not listening
        port = nobody.getsockname()[1]
        ran = call(capsys, "solve", "kuhn", "--track", f"mlflow:http://me:secret@127.0.0.1:{port}")
        ran.fails(1, f"MLflow cannot use http://127.0.0.1:{port}: no server answers there.")
        assert ran.out == ""


@needs_mlflow
def test_a_store_that_goes_away_costs_no_result(store, tmp_path, monkeypatch, capsys):
    _, uri = store

    def away(self, points):
        raise eq.track.TrackingError("MLflow cannot use it: no server answers there.")

    monkeypatch.setattr(eq.track.MLflow, "_write", away)
    ran = call(
        capsys, "solve", "kuhn", "-n", 8, "--save", tmp_path, "--track", f"mlflow:{uri}", "--json"
    )
    assert ran.code == 0
    assert ran.json["iterations"] == 8
    assert ran.err == (
        "Warning: MLflow cannot use it: no server answers there. The solution itself is complete.\n"
    )
    assert eq.load_solution(tmp_path).iterations == 8


@needs_mlflow
@tensorboard
def test_the_default_store_is_a_database_in_the_current_folder(tmp_path):
    """As a user runs it, in a process of its own: nothing of MLflow's appears, and two trackers get along."""
    options = ("--track", "mlflow", "--track", "tensorboard:tb", "--json")
    ran = spawn(
        "solve",
        "kuhn",
        "-n",
        8,
        *options,
        cwd=tmp_path,
        env=environment(MLFLOW_DISABLE_TELEMETRY="true"),
    )
    assert ran.code == 0
    assert {line.split()[0] for line in ran.err.splitlines()} <= {
        "Opening",
        "Writing",
    }  # which may take seconds
    assert ran.json["iterations"] == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mlflow.db", "mlruns", "tb"]
