from equilibrist._util.recent import Recent


def test_values_that_were_asked_for_last_are_kept():
    made = []

    def make(key):
        made.append(key)
        return key.upper()

    recent = Recent(2)
    for key in "abacab":
        assert recent.get(key, lambda key=key: make(key)) == key.upper()
    assert made == ["a", "b", "c", "b"]
