"""The kernel of the walk, and the records that it works on.

The walk of player i goes depth-first through i's infosets. At each it has the histories that i
cannot tell apart, with the reach of chance and the others, in a list. For one action after the
other it makes their successors: the moves of chance and the others are followed until i is to move
again, or to the end of the game. What i observes then divides the successors into the next
infosets, which are walked one by one before the next action is tried. So the memory is that of one
way down, and nothing is walked that chance and the others never let happen.

Level 0 is a beginning before the game, at which i has one "action": to let it begin.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, record
from ..._jit.hashtable import KEY, KEYS, NO_RECORD, NUMBER, WORDS, HashTable, find, insert
from ..._jit.thread_team import atomic_add
from ...game.protocol import CHANCE, TERMINAL
from ..sequence.tree import SUM_TOLERANCE

Whole = NDArray[np.int64]
Numbers = NDArray[np.float64]

RUNNING, DONE, NO_ROOM, LACKS, NO_NUMBERS, IMPERFECT = range(6)
"""How a run ends: with more to do, at the end, for want of room, at an infoset that the strategy lacks, for want of
room for infosets, or at one that has a number already, as its player forgets."""

COUNT, WORK, GATHER, ENTER = range(4)
"""What a run does at the infosets that are work items: count them, walk those that no other has, or take values. With
ENTER there are none, and every infoset of the player gets a number."""

(
    PLAYER,
    SPLIT,
    TASK,
    LEVEL,
    USED,
    GROUPS,
    ITEM,
    MADE,
    HISTORIES,
    INFOSETS,
    SLOTS,
    WIDEST,
    LACKING,
) = range(13)
COUNTS = 13
"""The numbers in ``at``: whose walk it is, the level of work items, what is done with them, and where the walk is. MADE
counts all histories; HISTORIES, INFOSETS and SLOTS (their actions) are those of the items walked,
or, with GATHER, of what is above them."""

NO_ROW = -1
_END = -1


@record
class Profile(NamedTuple):
    """A strategy of all players: probabilities by what a player knows; uniform at infosets that are not there.

    Attributes
    ----------
    table : HashTable
        Numbers the infosets, by player and what the rules observe.
    first : uint32 array, shape (infosets,)
        The place of its first action.
    probability : Numbers, shape (actions,)
    complete : bool array, shape (1,)
        Whether infosets may not be lacking.
    num_actions : uint32 array, shape (infosets,)
        How many actions the strategy has there, which the rules must have too; or empty.
    """

    table: HashTable
    first: NDArray[np.uint32]
    probability: Numbers
    complete: NDArray[np.bool_]
    num_actions: NDArray[np.uint32] = np.zeros(0, np.uint32)


@record
class Histories(NamedTuple):
    """Histories that lie on the way down, each in a list of those of one infoset."""

    state: Whole  # shape (capacity, integers of a state)
    reach: Numbers  # shape (capacity,): of chance and the others
    following: Whole  # shape (capacity,): the next of the same list, or -1


@record
class Groups(NamedTuple):
    """The infosets to which the actions on the way down have led.

    Attributes
    ----------
    first : int64 array, shape (capacity,)
        The history at the beginning of the list.
    last : int64 array, shape (capacity,)
        The history at its end.
    length : int64 array, shape (capacity,)
        How many integers the key has.
    key : int64 array, shape (capacity, most integers of an observation)
    """

    first: Whole
    last: Whole
    length: Whole
    key: Whole


@record
class Levels(NamedTuple):
    """The infosets on the way down.

    Attributes
    ----------
    first : int64 array, shape (levels,)
        The first history.
    histories : int64 array, shape (levels,)
        How many histories were in use when the level was entered.
    groups : int64 array, shape (levels,)
        How many groups were in use then.
    group : int64 array, shape (levels,)
        The next infoset after the current action that is to be walked.
    last_group : int64 array, shape (levels,)
        Where these infosets end.
    num_actions : int64 array, shape (levels,)
        How many actions there are.
    tried : int64 array, shape (levels,)
        How many of them are done with.
    trying : int64 array, shape (levels,)
        Whether the next one has been made, and what follows it is being walked.
    row : int64 array, shape (levels,)
        Where the strategy has the actions.
    item : int64 array, shape (levels,)
        The number of the work item that begins here.
    best : Numbers, shape (levels,)
        The value of the infoset with the best response, as far as it is known: payoff × reach of
        chance and the others, as in the three that follow.
    value : Numbers, shape (levels,)
        That with the strategy.
    action_best : Numbers, shape (levels,)
        That of the current action with the best response.
    action_value : Numbers, shape (levels,)
        That of the current action with the strategy.
    action : int64 array, shape (levels, most actions)
    """

    first: Whole
    histories: Whole
    groups: Whole
    group: Whole
    last_group: Whole
    num_actions: Whole
    tried: Whole
    trying: Whole
    row: Whole
    item: Whole
    best: Numbers
    value: Numbers
    action_best: Numbers
    action_value: Numbers
    action: Whole


@record
class Others(NamedTuple):
    """Moves of chance and the others after an action, one level for each that is being followed.

    Attributes
    ----------
    state : int64 array, shape (depths, integers of a state)
    reach : Numbers, shape (depths,)
        Of chance and the others, before the move.
    num_actions : int64 array, shape (depths,)
    tried : int64 array, shape (depths,)
        How many of the actions have been followed.
    action : int64 array, shape (depths, most actions)
    probability : Numbers, shape (depths, most actions)
    """

    state: Whole
    reach: Numbers
    num_actions: Whole
    tried: Whole
    action: Whole
    probability: Numbers


@record
class Entered(NamedTuple):
    """Infosets that have numbers: a player's are entered one after the other, each after those before it in a play.

    Attributes
    ----------
    table : HashTable
        Numbers the infosets, by player and what the rules observe.
    state : int64 array, shape (capacity, integers of a state)
        A state of each.
    first : uint32 array, shape (capacity,)
        Its first slot.
    parent_slot : int64 array, shape (slots,)
        At its first slot, the slot of the action before, or the number of its player.
    used_slots : int64 array, shape (1,)
    """

    table: HashTable
    state: Whole
    first: NDArray[np.uint32]
    parent_slot: Whole
    used_slots: Whole


@record
class Walker(NamedTuple):
    """All that a walk works on: one for each thread, but for what the last lines say.

    Attributes
    ----------
    histories : Histories
    groups : Groups
    levels : Levels
    others : Others
    at : int64 array, shape (COUNTS,)
        Where the walk is, as the constants above say.
    observation : int64 array, shape (most integers of an observation,)
        What was observed last.
    payoffs : Numbers, shape (players,)
        Those at the last end.
    sums : Numbers, shape (3,)
        From where to where the sum lies that all ends have in common (:func:`common_sum`), and the
        largest payoff.
    claimed : int64 array, shape (items,)
        How many threads wanted each; of all threads.
    result : Numbers, shape (items, 2)
        Best and value of each; of all threads.
    cf_value : Numbers
        At the slots, the counterfactual value of the player's action; of all threads; or empty.
    entered : Entered
        Where infosets get numbers.
    """

    histories: Histories
    groups: Groups
    levels: Levels
    others: Others
    at: Whole
    observation: Whole
    payoffs: Numbers
    sums: Numbers
    claimed: Whole
    result: Numbers
    cf_value: Numbers
    entered: Entered


@compiled(allocates=False, nogil=True)
def walk(machine, profile, walker, budget):
    """Go on until about so many histories have been made; return how the run ended.

    Filled in place: all of ``walker``. At the end ``walker.levels`` has the values of the game at
    level 0.
    """
    at = walker.at
    levels = walker.levels
    made = 0
    while True:
        level = at[LEVEL]
        if levels.group[level] < levels.last_group[level]:
            if level + 1 == len(levels.first):
                return NO_ROOM
            if at[TASK] == ENTER and not _has_room(walker):
                return NO_NUMBERS
            if not _enter_next_infoset(machine, profile, walker, level):
                if at[TASK] == ENTER:
                    return IMPERFECT
                return LACKS
        elif levels.trying[level]:
            _finish_action(profile, walker, level)
        elif levels.tried[level] == levels.num_actions[level]:
            if level == 0:
                return DONE
            _leave_infoset(walker, level)
        elif made >= budget:
            return RUNNING
        else:
            count = _try(machine, profile, walker, level)
            if count < 0:
                if at[LACKING]:
                    return LACKS
                return NO_ROOM
            made += count
            at[MADE] += count
            if at[TASK] >= GATHER or (at[TASK] == WORK and level >= at[SPLIT]):
                at[HISTORIES] += count


@compiled(allocates=False)
def observe_states(machine, states, owner, observation, length):
    """Tell whose move it is at some states, and what they observe; filled in place: the last three."""
    for i in range(len(states)):
        owner[i] = machine.player(machine.parameters, states[i])
        length[i] = machine.observe(machine.parameters, states[i], observation[i])


@compiled(allocates=False)
def number_infosets(table, owner, observation, length):
    """Number some infosets, for which the table has room; return how many there are before one again."""
    for i in range(len(owner)):
        record = insert(table, owner[i], observation[i], length[i])
        if table.words[record + NUMBER] != i:
            return i
    return len(owner)


@compiled(allocates=False, inline=True, entry=False)
def _enter_next_infoset(machine, profile, walker, level):
    """Go down to the next infoset after the current action; return False where the strategy lacks it.

    Or where it is to get a number and has one already.
    """
    at = walker.at
    levels = walker.levels
    groups = walker.groups
    group = levels.group[level]
    levels.group[level] = group + 1
    next_level = level + 1
    item = NO_ROW
    if next_level == at[SPLIT]:
        item = at[ITEM]
        at[ITEM] = item + 1
        if at[TASK] == COUNT:
            return True
        if at[TASK] == GATHER:
            levels.action_best[level] += walker.result[item, 0]
            levels.action_value[level] += walker.result[item, 1]
            return True
        if atomic_add(walker.claimed, item, 1) > 0:
            return True
    first = groups.first[group]
    state = walker.histories.state[first]
    count = machine.actions(machine.parameters, state, levels.action[next_level])
    levels.num_actions[next_level] = count
    if at[TASK] == ENTER:
        row = _enter_infoset(machine, walker, level, state, count)
    else:
        row = _find_row(machine, profile, walker, at[PLAYER], state, count)
    if row < NO_ROW:
        return False
    levels.first[next_level] = first
    levels.histories[next_level] = at[USED]
    levels.groups[next_level] = at[GROUPS]
    levels.group[next_level] = at[GROUPS]
    levels.last_group[next_level] = at[GROUPS]
    levels.tried[next_level] = 0
    levels.trying[next_level] = 0
    levels.row[next_level] = row
    levels.item[next_level] = item
    levels.best[next_level] = -np.inf
    levels.value[next_level] = 0.0
    at[LEVEL] = next_level
    if (at[TASK] == WORK and next_level >= at[SPLIT]) or at[TASK] >= GATHER:
        at[INFOSETS] += 1
        at[SLOTS] += levels.num_actions[next_level]
    return True


@compiled(allocates=False, inline=True, entry=False)
def _has_room(walker):
    """Return whether there is room for one infoset more, of any number of actions and any length."""
    entered = walker.entered
    table = entered.table
    number = table.used[KEYS] + 1
    if number > len(entered.first) or 2 * number > len(table.cells):
        return False
    if table.used[WORDS] + KEY + len(walker.observation) > len(table.words):
        return False
    return entered.used_slots[0] + walker.levels.action.shape[1] <= len(entered.parent_slot)


@compiled(allocates=False, inline=True, entry=False)
def _enter_infoset(machine, walker, level, state, count):
    """Give the next number to the infoset of a state, after the current action of a level; return its first slot.

    Where it has a number, return less than NO_ROW, with the state in ``walker.others.state[0]``.
    """
    entered = walker.entered
    levels = walker.levels
    number = entered.table.used[KEYS]
    player = walker.at[PLAYER]
    length = machine.observe(machine.parameters, state, walker.observation)
    place = insert(entered.table, player, walker.observation, length)
    if entered.table.words[place + NUMBER] != number:
        _copy(machine, state, walker.others.state[0])
        return np.int64(NO_ROW - 1)
    slot = entered.used_slots[0]
    entered.used_slots[0] = slot + count
    entered.first[number] = slot
    _copy(machine, state, entered.state[number])
    if level == 0:
        entered.parent_slot[slot] = player
    else:
        entered.parent_slot[slot] = levels.row[level] + levels.tried[level]
    return slot


@compiled(allocates=False, inline=True, entry=False)
def _finish_action(profile, walker, level):
    """Add the value of the current action, after which all has been walked, to that of the infoset."""
    levels = walker.levels
    n = levels.tried[level]
    row = levels.row[level]
    # Above work items what threads write is wrong until values are gathered.
    if row >= 0 and len(walker.cf_value) > 0:
        walker.cf_value[row + n] = levels.action_value[level]
    plays = row >= 0 and walker.at[TASK] != ENTER
    if plays:
        probability = profile.probability[row + n]
    else:
        probability = 1.0 / levels.num_actions[level]
    levels.value[level] += probability * levels.action_value[level]
    levels.best[level] = max(levels.best[level], levels.action_best[level])
    levels.tried[level] = n + 1
    levels.trying[level] = 0


@compiled(allocates=False, inline=True, entry=False)
def _leave_infoset(walker, level):
    """Go up from an infoset, all of whose actions have been tried, and add its values to those of the action above."""
    at = walker.at
    levels = walker.levels
    level_above = level - 1
    levels.action_best[level_above] += levels.best[level]
    levels.action_value[level_above] += levels.value[level]
    item = levels.item[level]
    if item >= 0:
        walker.result[item, 0] = levels.best[level]
        walker.result[item, 1] = levels.value[level]
    at[LEVEL] = level_above


@compiled(allocates=False, entry=False)
def _try(machine, profile, walker, level):
    """Make the successors of an infoset after its next action; return how many histories that were.

    Or -1, with all as it was, where there is no room, or the strategy lacks an infoset that is
    reached.
    """
    levels = walker.levels
    histories = walker.histories
    groups = walker.groups
    others = walker.others
    player = walker.at[PLAYER]
    begin = levels.groups[level]
    end = begin
    last = begin
    used = levels.histories[level]
    made = 0
    ends = 0.0
    history = levels.first[level]
    while history != _END:
        _follow_action(walker, level, history)
        depth = 0
        while depth >= 0:
            n = others.tried[depth]
            if n == others.num_actions[depth]:
                depth -= 1
                continue
            others.tried[depth] = n + 1
            probability = others.probability[depth, n]
            if not probability > 0.0:
                continue
            if (
                used == len(histories.reach)
                or end == len(groups.first)
                or depth + 1 == len(others.reach)
            ):
                return -1
            made += 1
            # The state is put where it most likely stays: another player moves after the player's
            # own action, and the player after that. Copying what has just been written takes as
            # long as ten other instructions.
            if depth == 0:
                state_before = histories.state[history]
                state = others.state[1]
            else:
                state_before = others.state[depth]
                state = histories.state[used]
            _copy(machine, state_before, state)
            if level > 0 or depth > 0:
                machine.play(machine.parameters, state, others.action[depth, n])
            reach = others.reach[depth] * probability
            mover = machine.player(machine.parameters, state)
            if mover == player:
                if depth == 0:
                    _copy(machine, state, histories.state[used])
                last = _join_group(machine, walker, state, reach, used, begin, end, last)
                if last == end:
                    end += 1
                used += 1
            elif mover == TERMINAL:
                ends += reach * _payoff(machine, walker, player, state)
            else:
                depth += 1
                if not _follow_mover(machine, profile, walker, mover, state, reach, depth):
                    return -1
        history = histories.following[history]
    _hold_successors(walker, level, begin, end, used, ends)
    return made


@compiled(allocates=False, inline=True, entry=False)
def _follow_action(walker, level, history):
    """Put the next action of a level after a history, as if it were a move of another player.

    That player takes the action with probability 1. Filled in place: ``walker.others`` at depth 0,
    but for the state, which stays where the history has it.
    """
    levels = walker.levels
    others = walker.others
    others.reach[0] = walker.histories.reach[history]
    others.probability[0, 0] = 1.0
    others.action[0, 0] = levels.action[level, levels.tried[level]]
    others.num_actions[0] = 1
    others.tried[0] = 0


@compiled(allocates=False, inline=True, entry=False)
def _join_group(machine, walker, state, reach, used, begin, end, last):
    """Put the history ``used``, which has its state already, to those of its infoset; return its group.

    Groups from ``begin`` to ``end`` are searched, from ``last`` on; if none is of this infoset,
    ``end`` becomes one.
    """
    groups = walker.groups
    histories = walker.histories
    length = machine.observe(machine.parameters, state, walker.observation)
    group = _find_group(groups, walker.observation, length, begin, end, last)
    if group == end:
        for i in range(length):
            groups.key[end, i] = walker.observation[i]
        groups.length[end] = length
        groups.first[end] = used
    else:
        histories.following[groups.last[group]] = used
    groups.last[group] = used
    histories.reach[used] = reach
    histories.following[used] = _END
    return group


@compiled(allocates=False, inline=True, entry=False)
def _payoff(machine, walker, player, state):
    """Return what a player is paid at an end, and note all payoffs in ``walker.sums``."""
    payoffs = walker.payoffs
    sums = walker.sums
    machine.payoffs(machine.parameters, state, payoffs)
    total = 0.0
    size = 0.0
    for i in range(len(payoffs)):
        total += payoffs[i]
        size += abs(payoffs[i])
        sums[2] = max(sums[2], abs(payoffs[i]))
    margin = SUM_TOLERANCE * size
    sums[0] = max(sums[0], total - margin)
    sums[1] = min(sums[1], total + margin)
    return payoffs[player]


@compiled(allocates=False, inline=True, entry=False)
def _follow_mover(machine, profile, walker, mover, state, reach, depth):
    """Open a depth of ``walker.others`` at a state where chance or another player moves.

    Return False where the strategy lacks the infoset.
    """
    others = walker.others
    if depth > 1:
        _copy(machine, state, others.state[depth])
    others.reach[depth] = reach
    others.tried[depth] = 0
    count = machine.actions(machine.parameters, state, others.action[depth])
    others.num_actions[depth] = count
    if mover == CHANCE:
        machine.chances(machine.parameters, state, others.probability[depth])
        return True
    row = _find_row(machine, profile, walker, mover, state, count)
    if row < NO_ROW:
        return False
    if row >= 0:
        for k in range(count):
            others.probability[depth, k] = profile.probability[row + k]
    else:
        share = 1.0 / count
        for k in range(count):
            others.probability[depth, k] = share
    return True


@compiled(allocates=False, inline=True, entry=False)
def _hold_successors(walker, level, begin, end, used, ends):
    """Note what follows the action of a level: groups ``begin … end - 1``, and the value of the ends."""
    at = walker.at
    levels = walker.levels
    at[USED] = used
    at[GROUPS] = end
    at[WIDEST] = max(at[WIDEST], used)
    levels.group[level] = begin
    levels.last_group[level] = end
    levels.action_best[level] = ends
    levels.action_value[level] = ends
    levels.trying[level] = 1


@compiled(allocates=False, inline=True, entry=False)
def _copy(machine, source, target):
    """Copy a state; how long it is, is a constant where the rules are part of the kernel."""
    for i in range(len(machine.start)):
        target[i] = source[i]


@compiled(allocates=False, inline=True, entry=False)
def _find_group(groups, key, length, begin, end, last):
    """Return the group with a key, looked for from the one that was found last on, or ``end`` where there is none."""
    group = last
    for _ in range(end - begin):
        if groups.length[group] == length:
            i = length - 1
            while i >= 0 and groups.key[group, i] == key[i]:
                i -= 1
            if i < 0:
                return group
        group = begin if group + 1 == end else group + 1
    return end


@compiled(allocates=False, inline=True, entry=False)
def _find_row(machine, profile, walker, mover, state, count):
    """Return where the strategy has the actions of the infoset of a state; NO_ROW where they are played uniformly.

    Where the strategy lacks an infoset and may not, or has not ``count`` actions there, return
    less, with the state in ``walker.others.state[0]``, and in LACKING 1, or 2 more than its
    actions.
    """
    if profile.table.used[KEYS] > 0:
        length = machine.observe(machine.parameters, state, walker.observation)
        record = find(profile.table, mover, walker.observation, length)
        if record != NO_RECORD:
            number = profile.table.words[record + NUMBER]
            if len(profile.num_actions) > 0 and profile.num_actions[number] != count:
                walker.at[LACKING] = 2 + profile.num_actions[number]
                _copy(machine, state, walker.others.state[0])
                return np.int64(NO_ROW - 1)
            return np.int64(profile.first[number])
    if profile.complete[0]:
        walker.at[LACKING] = 1
        _copy(machine, state, walker.others.state[0])
        return np.int64(NO_ROW - 1)
    return np.int64(NO_ROW)
