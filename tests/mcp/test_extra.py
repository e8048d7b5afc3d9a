"""The server where the SDK of the protocol, or a folder, is missing."""


def test_without_the_sdk_the_error_says_what_to_install(run, monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "mcp", None)
    run("mcp", str(tmp_path)).fails(
        2,
        "The server needs the SDK of the Model Context Protocol, which cannot be imported here: pip "
        "install '.[mcp]'",
    )


def test_folders_that_are_not_there(run, tmp_path):
    run("mcp", str(tmp_path / "none")).fails(2, "There is no folder")
    run("mcp", str(tmp_path), "--write", str(tmp_path / "none")).fails(2, "make it first")
