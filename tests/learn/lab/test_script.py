"""One classic script of modules: those of labs."""

import re
import shutil
import subprocess
from importlib.resources import files

import pytest

import equilibrist as eq
from equilibrist.learn import lab
from equilibrist.page import bundle

NODE = shutil.which("node")


def modules():
    folder = files(eq.__name__).joinpath("learn/lab")
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".js"))


def test_the_labs_are_the_modules_that_mount_one():
    folder = files(eq.__name__).joinpath("learn/lab")
    mounts = {
        name.removesuffix(".js")
        for name in modules()
        if re.search(r'^mount\("', folder.joinpath(name).read_text("utf-8"), re.M)
    }
    assert mounts == set(lab.LABS)


@pytest.mark.parametrize("name", lab.LABS)
def test_a_script_asks_for_nothing(name):
    text = lab.script(name)
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|//(?!www\.w3\.org/)[a-z]+\.[a-z]", text)
    assert "</script" not in text


@pytest.mark.parametrize("name", lab.LABS)
@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_a_script_is_read_by_a_program_of_javascript(name, tmp_path):
    path = tmp_path / "lab.cjs"
    path.write_text(lab.script(name), "utf-8")
    subprocess.run([NODE, "--check", path], check=True, timeout=60)


def test_a_page_has_the_style_of_its_lab_alone():
    labs = {name: set(re.findall(r'data-lab="([\w-]+)"', lab.style(name))) for name in lab.LABS}
    small = {"one-bet", "rps", "blotto", "leduc", "learning"}
    assert labs == {"kuhn": {"kuhn"}} | dict.fromkeys(small, small)
    assert lab.lab_file("kuhn.css") == lab.style("kuhn")
    assert lab.lab_file("lab.css") is lab.lab_file("kuhn.html") is None


def test_imports_become_constants_of_the_modules_before():
    source = (
        'import {\n  a,\n  b as c,\n} from "./other.js";\n// a comment\nexport const d = a + c;\n'
    )
    source += "export function e() {}\n"
    assert bundle.wrap_module(source, "learn/lab/this.js", ["$other"]) == (
        "const $learn_lab_this = (() => {\nconst {\n  a,\n  b: c,\n} = $other;\nconst d = a + c;\nfunction e() {}\n"
        "return { d, e };\n})();\n"
    )


def test_a_type_before_a_value_takes_nothing_with_it():
    source = (
        "const a =\n  /** @type {any} */ (3);\nconst b = 4;\n/** A comment. */\nconst c = a + b;\n"
    )
    text = bundle.wrap_module(source, "learn/lab/this.js", [])
    assert "(3);\nconst b = 4;\nconst c = a + b;\n" in text


@pytest.mark.parametrize(
    "line",
    [
        'import all from "./other.js";',
        'import * as all from "./other.js";',
        'import "./other.js";',
        'const all = await import("./other.js");',
        "export default 3;",
        "export let changes = 3;",
        "export { a };",
        'export * from "./other.js";',
        'const text = "</script>";',
    ],
)
def test_other_forms_are_refused(line):
    with pytest.raises(ValueError, match=r"this\.js has .* which a classic script cannot have"):
        bundle.wrap_module(f"const a = 1;\n{line}\n", "learn/lab/this.js", [])


def test_a_module_that_imports_itself_through_others_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "learn" / "lab"
    folder.mkdir(parents=True)
    (folder / "one.js").write_text('import { b } from "./two.js";\nexport const a = b;\n')
    (folder / "two.js").write_text('import { a } from "./one.js";\nexport const b = a;\n')
    monkeypatch.setattr(bundle, "files", lambda package: tmp_path)
    with pytest.raises(
        ValueError, match=r"one\.js imports itself through learn/lab/one\.js, learn/lab/two\.js"
    ):
        bundle.bundle_script("learn/lab/one.js")
