"""The form of a new spot loses no setting: what has no field is carried along, what no field can hold is refused."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import equilibrist.page
from support.spot_settings import TOGETHER, meaning, spots

FORM = Path(equilibrist.page.__file__).parent / "js/poker/spot-settings.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="node is not installed; the browser test does the same"
)
THROUGH = """
import { formOf, settingsOf } from %r;
const texts = [];
process.stdin.on("data", (text) => texts.push(text));
process.stdin.on("end", () => {
  const through = JSON.parse(texts.join("")).map((settings) => settingsOf(formOf(settings)));
  process.stdout.write(JSON.stringify(through));
});
"""


def through_form(settings):
    """Return settings as they leave the form that was filled with them."""
    script = THROUGH % FORM.as_uri()
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script],
        input=json.dumps(settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.slow
@needs_node
def test_every_setting_of_a_spot_goes_through_the_form():
    given = spots()
    for before, after in zip(given, through_form(given), strict=True):
        assert meaning(after) == meaning(before), before


@pytest.mark.slow
@needs_node
def test_settings_as_the_server_writes_them_go_through_the_form():
    given = [as_written(settings) for settings in spots()]
    again = through_form(given)
    assert through_form(again) == again
    for before, after in zip(given, again, strict=True):
        assert meaning(after) == meaning(before), before


def as_written(settings):
    """Return settings as a file that is read answers with them."""
    from equilibrist.poker.spot.game import Holdem

    return json.loads(json.dumps(Holdem(**settings).settings))


def test_a_batch_and_a_file_take_every_setting(client):
    estimate = client.post("/api/spots/estimate", json={"spot": TOGETHER, "sizes": False})
    assert meaning(estimate.json()["settings"]) == meaning(TOGETHER)
    file = client.post("/api/spots/file", json={"spot": TOGETHER})
    read = client.post("/api/spots/read", json={"text": file.text, "name": "spot.toml"})
    assert meaning(read.json()["settings"]) == meaning(TOGETHER)
    saved = client.put("/api/presets", json={"kind": "spot", "name": "all", "settings": TOGETHER})
    assert saved.json()["settings"] == TOGETHER
