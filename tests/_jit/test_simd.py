"""Vectors of eight: every operation against its NumPy definition, in compiled code and with the compiler off."""

import numba
import numpy as np
import pytest

from equilibrist._jit import simd

RANDOM = np.random.default_rng(1)
NUMBERS = RANDOM.normal(size=40)
SPECIAL = np.array(
    [
        0.0,
        -0.0,
        1.0,
        -1.0,
        np.inf,
        -np.inf,
        np.nan,
        5e-324,
        1e308,
        -1e308,
        2.0,
        3.0,
        -3.0,
        7.0,
        0.5,
        9.0,
    ]
)
ARRAYS = {
    "numbers": NUMBERS,
    "special": np.r_[SPECIAL, SPECIAL[::-1]],
    "float32": NUMBERS.astype(np.float32),
}
ARRAYS["int16"] = np.r_[-32768, 32767, 0, -1, (1000 * NUMBERS).astype(np.int16)].astype(np.int16)
jit = numba.njit(error_model="numpy")


KINDS = (np.float64, np.float32)


@jit
def _load(array, index, out):
    simd.store(out, 0, simd.load(array, index))


@jit
def _load_like(like, array, index, out):
    simd.store(out, 0, simd.load_like(like, array, index))


@jit
def _broadcast(number, out):
    simd.store(out, 0, simd.broadcast(number))


@jit
def _broadcast_like(like, number, out):
    simd.store(out, 0, simd.broadcast_like(like, number))


@jit
def _broadcast_load(array, index, out):
    simd.store(out, 0, simd.broadcast_load(array, index))


@jit
def _gather(array, indices, start, base, out):
    simd.store(out, 0, simd.gather(array, indices, start, base))


@jit
def _scatter_add(array, indices, start, base, values):
    simd.scatter_add(array, indices, start, base, simd.load(values, 0))


@jit
def _transpose(source, starts, first, offset, target, begins, second, shift):
    simd.transpose(source, starts, first, offset, target, begins, second, shift)


@jit
def _transpose_add(source, starts, first, offset, target, begins, second, shift):
    simd.transpose_add(source, starts, first, offset, target, begins, second, shift)


@jit
def _where_positive(test, then, otherwise, out):
    chosen = simd.where_positive(simd.load(test, 0), simd.load(then, 0), simd.load(otherwise, 0))
    simd.store(out, 0, chosen)


@jit
def _maximum(one, other, out):
    simd.store(out, 0, simd.maximum(simd.load(one, 0), simd.load(other, 0)))


@jit
def _arithmetic(one, other, number, out):
    a, b = simd.load(one, 0), simd.load(other, 0)
    simd.store(out, 0, a + b)
    simd.store(out, 8, a - b)
    simd.store(out, 16, a * b)
    simd.store(out, 24, a / b)
    simd.store(out, 32, a + number)
    simd.store(out, 40, a - number)
    simd.store(out, 48, a * number)
    simd.store(out, 56, a / number)


@jit
def _prefetch(array, index):
    simd.prefetch(array, index)
    return array[0]


@jit
def _integer_at(array, index):
    return simd.integer_at(array, index)


def eight(kind=np.float64):
    return np.zeros(8, kind)


def same_bits(one, other):
    """Equal to the last bit, whatever kind of not-a-number."""
    assert one.dtype == other.dtype
    nan = np.isnan(one)
    assert (nan == np.isnan(other)).all()
    assert (one[~nan].view(np.uint8) == other[~nan].view(np.uint8)).all()


@pytest.mark.thinned(45)
@pytest.mark.parametrize("name", ["numbers", "special", "float32"])
@pytest.mark.parametrize("index", [0, 1, 3, 7, 8])
@pytest.mark.parametrize("kind", [np.int64, np.uint32, np.int8])
def test_load(name, index, kind):
    array = ARRAYS[name]
    out = eight(array.dtype)
    _load(array, kind(index), out)
    same_bits(out, array[index : index + 8])
    same_bits(out, simd.NUMPY["load"](array, kind(index)))


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("index", [0, 3, np.uint32(8)])
@pytest.mark.parametrize("kind", KINDS)
def test_load_in_the_precision_of_another_array(name, index, kind):
    array, like, out = ARRAYS[name], np.zeros(1, kind), eight(kind)
    _load_like(like, array, index, out)
    with np.errstate(over="ignore"):
        same_bits(out, array[index : index + 8].astype(kind))
        same_bits(out, simd.NUMPY["load_like"](like, array, index))


@pytest.mark.thinned(4)
@pytest.mark.parametrize("kind", [np.uint16, np.uint32, np.int8, np.int64])
def test_integer_at(kind):
    array = np.array([3, 100, np.iinfo(kind).max], kind)
    for index in (0, np.uint32(1), 2):
        assert (
            _integer_at(array, index) == simd.NUMPY["integer_at"](array, index) == int(array[index])
        )


@pytest.mark.thinned(6)
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("index", [0, 1, 5])
def test_store_leaves_the_rest_alone_and_rounds_to_float32(kind, index):
    @jit
    def put(array, at, values):
        simd.store(array, at, simd.load(values, 0))

    by_llvm, by_numpy = np.full(20, 3, kind), np.full(20, 3, kind)
    put(by_llvm, index, NUMBERS)
    simd.NUMPY["store"](by_numpy, index, NUMBERS[:8])
    expected = np.full(20, 3, kind)
    expected[index : index + 8] = NUMBERS[:8]
    same_bits(by_llvm, expected)
    same_bits(by_numpy, expected)


@pytest.mark.parametrize(
    ("kind", "values", "stored"),
    [
        (
            np.int16,
            [32767.4, -32767.0, 0.5, 1.5, -2.5, 0.49999, -0.0, 1e-300],
            [32767, -32767, 0, 2, -2, 0, 0, 0],
        ),
        (
            np.uint8,
            [255.4, 128.0, 0.5, 1.5, -0.5, 0.49999, -0.0, 1e-300],
            [255, 128, 0, 2, 0, 0, 0, 0],
        ),
    ],
)
@pytest.mark.parametrize("precision", KINDS)
def test_store_rounds_to_the_nearest_integer(kind, values, stored, precision):
    @jit
    def put(array, at, values):
        simd.store(array, at, simd.load(values, 0))

    values = np.array(values, precision)
    found, expected, back = np.full(12, 7, kind), np.full(12, 7, kind), eight(precision)
    put(found, 2, values)
    simd.NUMPY["store"](expected, 2, values)
    assert found.tolist() == expected.tolist() == [7, 7, *stored, 7, 7]
    _load_like(back, found, 2, back)
    assert back.tolist() == stored


@pytest.mark.thinned(8)
@pytest.mark.parametrize("kind", [np.int16, np.uint8])
@pytest.mark.parametrize("precision", KINDS)
@pytest.mark.parametrize("start", [1000, 2**33])
def test_dithers_keep_the_mean_over_times_and_over_elements(precision, kind, start):
    @jit
    def put(table, index, number, time):
        simd.store_dithered(table, index, number, time)

    @jit
    def fill(table, numbers, time):
        for index in range(0, len(table), 8):
            put(table, index, simd.load(numbers, 0), time)

    for number in (
        0.0,
        0.01,
        100.3,
        4.5,
        254.0,
        *([-0.3, -32766.0, 32766.0] if kind == np.int16 else []),
    ):
        numbers, table, again = (
            np.full(8, number * 65536, precision),
            np.zeros((64, 512), kind),
            np.zeros(512, kind),
        )
        for time in range(64):
            fill(table[time], numbers, start + time)
        for index in range(0, 512, 8):
            simd.NUMPY["store_dithered"](again, index, numbers, start + 63)
        same_bits(again, table[63])
        assert {*np.unique(table).tolist()} <= {np.floor(number), np.ceil(number)}
        assert table.mean(axis=0) == pytest.approx(np.full(512, number), abs=0.06)
        assert table.mean(axis=1) == pytest.approx(np.full(64, number), abs=0.01)


def test_largest():
    @jit
    def most(values):
        return simd.largest(simd.load(values, 0))

    for first in range(len(NUMBERS) - 8):
        assert (
            most(NUMBERS[first:])
            == NUMBERS[first : first + 8].max()
            == simd.NUMPY["largest"](NUMBERS[first:][:8])
        )


@pytest.mark.parametrize("number", [0.0, -0.0, 2.5, np.inf, np.float32(0.1), 3, np.int64(-7)])
def test_broadcast(number):
    out = eight()
    _broadcast(number, out)
    same_bits(out, np.full(8, number, np.float64))
    same_bits(out, simd.NUMPY["broadcast"](number))


@pytest.mark.thinned(8)
@pytest.mark.parametrize("number", [0.0, 0.1, np.float32(0.1), 3])
@pytest.mark.parametrize("kind", KINDS)
def test_broadcast_in_the_precision_of_an_array(number, kind):
    like, out = np.zeros(1, kind), eight(kind)
    _broadcast_like(like, number, out)
    same_bits(out, np.full(8, number, kind))
    same_bits(out, simd.NUMPY["broadcast_like"](like, number))


@pytest.mark.parametrize("index", [0, 5, np.uint32(15)])
def test_broadcast_load(index):
    out = eight()
    _broadcast_load(SPECIAL, index, out)
    same_bits(out, np.full(8, SPECIAL[index]))
    same_bits(out, simd.NUMPY["broadcast_load"](SPECIAL, index))


@pytest.mark.thinned(8)
@pytest.mark.parametrize(("start", "base"), [(0, 0), (4, 7)])
@pytest.mark.parametrize("kind", [np.uint16, np.uint32])
@pytest.mark.parametrize("precision", KINDS)
def test_gather(start, base, kind, precision):
    numbers, indices, out = (
        NUMBERS.astype(precision),
        RANDOM.integers(0, 33, 16).astype(kind),
        eight(precision),
    )
    _gather(numbers, indices, start, base, out)
    same_bits(out, numbers[base + indices[start : start + 8].astype(int)])
    same_bits(out, simd.NUMPY["gather"](numbers, indices, start, base))


@pytest.mark.parametrize("indices", [[0] * 8, [3, 1, 3, 3, 0, 1, 9, 3], list(range(8))])
@pytest.mark.parametrize("base", [0, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_scatter_add_in_order_where_indices_repeat(indices, base, kind):
    numbers, indices = NUMBERS.astype(kind), np.array([0, *indices], np.uint32)
    by_llvm, by_numpy, expected = numbers[:12].copy(), numbers[:12].copy(), numbers[:12].copy()
    _scatter_add(by_llvm, indices, 1, base, numbers[20:])
    simd.NUMPY["scatter_add"](by_numpy, indices, 1, base, numbers[20:28])
    for lane in range(8):
        expected[base + indices[1 + lane]] += numbers[20 + lane]
    same_bits(by_llvm, expected)
    same_bits(by_numpy, expected)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("begins", [range(0, 80, 10), [0, 10, 20, 30, 0, 10, 10, 70]])
@pytest.mark.parametrize("kind", KINDS)
def test_transpose(begins, kind):
    source, starts = (
        RANDOM.normal(size=200).astype(kind),
        np.array([99, *RANDOM.integers(0, 180, 8)]),
    )
    begins = np.array([99, 99, *begins])
    block = np.array([source[start + 3 : start + 11] for start in starts[1:]])
    for name, kernel, add in (
        ("transpose", _transpose, False),
        ("transpose_add", _transpose_add, True),
    ):
        by_llvm, by_numpy, expected = (np.ones(90, kind) for _ in range(3))
        for k, begin in enumerate(begins[2:]):
            expected[begin + 2 : begin + 10] = block[:, k] + (
                expected[begin + 2 : begin + 10] if add else 0.0
            )
        kernel(source, starts, 1, 3, by_llvm, begins, 2, 2)
        simd.NUMPY[name](source, starts, 1, 3, by_numpy, begins, 2, 2)
        same_bits(by_llvm, expected)
        same_bits(by_numpy, expected)


def test_where_positive_takes_zeros_and_no_numbers_for_not_positive():
    for test in (SPECIAL[:8], SPECIAL[8:], NUMBERS[:8]):
        out = eight()
        _where_positive(test, NUMBERS[:8], NUMBERS[8:16], out)
        same_bits(out, np.where(test > 0, NUMBERS[:8], NUMBERS[8:16]))
        same_bits(out, simd.NUMPY["where_positive"](test, NUMBERS[:8], NUMBERS[8:16]))


def test_maximum_gives_the_second_where_they_do_not_differ():
    for one, other in (
        (SPECIAL[:8], SPECIAL[8:]),
        (SPECIAL[8:], SPECIAL[:8]),
        (np.zeros(8), -np.zeros(8)),
    ):
        out = eight()
        _maximum(one, other, out)
        same_bits(out, np.array([a if a > b else b for a, b in zip(one, other, strict=True)]))
        same_bits(out, simd.NUMPY["maximum"](one, other))


@jit
def _mixed(lanes, number, out):
    simd.store(out, 0, simd.maximum(simd.load(lanes, 0), number))
    simd.store(out, 8, simd.where_positive(simd.load(lanes, 0), number, simd.load(lanes, 0)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_becomes_one_of_the_precision_of_lanes(kind):
    lanes, out = NUMBERS[:8].astype(kind), np.zeros(16, kind)
    _mixed(lanes, 0.1, out)
    tenth = kind(0.1)
    same_bits(out, np.r_[np.where(lanes > tenth, lanes, tenth), np.where(lanes > 0, tenth, lanes)])
    same_bits(out[:8], simd.NUMPY["maximum"](lanes, 0.1))
    same_bits(out[8:], simd.NUMPY["where_positive"](lanes, 0.1, lanes))


def test_lanes_of_two_precisions_do_not_meet():
    if simd.INTERPRETED:
        pytest.skip("NumPy lets them")

    @jit
    def add(one, other, out):
        simd.store(out, 0, simd.load(one, 0) + simd.load(other, 0))

    with pytest.raises(numba.TypingError):
        add(NUMBERS, NUMBERS.astype(np.float32), eight())


@pytest.mark.parametrize("number", [2.0, 0.0, -0.5, 0.1])
@pytest.mark.parametrize("kind", KINDS)
def test_arithmetic(number, kind):
    for first, second in ((NUMBERS[:8], NUMBERS[8:16]), (SPECIAL[:8], SPECIAL[8:])):
        out = np.zeros(64, kind)
        with np.errstate(all="ignore"):
            one, other = first.astype(kind), second.astype(kind)
            _arithmetic(one, other, number, out)
            pairs = [
                f(one, x)
                for x in (other, number)
                for f in (np.add, np.subtract, np.multiply, np.divide)
            ]
        same_bits(out, np.concatenate(pairs))


def test_prefetch_changes_nothing():
    assert _prefetch(NUMBERS, 5) == _prefetch(NUMBERS, 10**6) == NUMBERS[0]
    assert simd.NUMPY["prefetch"](NUMBERS, 10**6) is None


@pytest.mark.parametrize("length", [1, 8, 1001])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint32])
def test_memory_begins_at_a_line_of_the_cache(length, dtype):
    there = simd.zeros(length, dtype)
    assert (len(there), there.dtype) == (length, dtype)
    assert there.ctypes.data % 64 == 0
    assert not there.any()
    numbers = np.arange(length).astype(dtype)
    copy = simd.aligned(numbers)
    assert copy.ctypes.data % 64 == 0
    assert (copy == numbers).all()
    assert not np.shares_memory(copy, numbers)


@jit
def _reciprocal(numbers, like, out):
    simd.store(out, 0, simd.reciprocal(simd.load(numbers, 0), like))


@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_reciprocal_divides_in_the_precision_of_an_array(precision):
    numbers, like, out = (
        np.array([1.0, 3.0, 7.0, 1e-3, 0.0, 1e300, -3.0, 1e-40]),
        np.zeros(1, precision),
        eight(),
    )
    _reciprocal(numbers, like, out)
    with np.errstate(all="ignore"):
        same_bits(out, (1 / numbers.astype(precision)).astype(float))
        same_bits(out, simd.NUMPY["reciprocal"](numbers, like))


@jit
def _power_of_two(numbers, out):
    simd.store(out, 0, simd.power_of_two(simd.load(numbers, 0)))


@pytest.mark.parametrize("first", [-1022, -700, -4, 1016])
def test_powers_of_two_are_exact(first):
    numbers, out = np.arange(first, first + 8, dtype=float), eight()
    _power_of_two(numbers, out)
    same_bits(out, simd.NUMPY["power_of_two"](numbers))
    assert out.tolist() == [2.0**k for k in range(first, first + 8)]
