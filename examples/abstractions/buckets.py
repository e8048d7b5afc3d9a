"""Maps of infosets for docs/abstraction.md: each takes an infoset and returns the name of its bucket."""

KUHN_CARDS = "3456789TJQKA"


def halves(infoset):
    """Kuhn poker with twelve cards, of which a player sees no more than whether a card is one of the six low ones."""
    return group_of_card(infoset, 2)


def thirds(infoset):
    """The same in three groups of four cards."""
    return group_of_card(infoset, 3)


def quarters(infoset):
    """The same in four groups of three cards."""
    return group_of_card(infoset, 4)


def group_of_card(infoset, groups):
    """Return who plays, the group of the card, and the bets so far."""
    card, line = infoset.key[0], infoset.key[1:]
    group = KUHN_CARDS.index(card) * groups // len(KUHN_CARDS)
    return infoset.player, group, line


def jack_is_queen(infoset):
    """Leduc poker in which a jack and a queen are alike until the public card is there."""
    if "/" in infoset.key or infoset.key[0] == "K":
        return None  # by itself
    return infoset.player, "jack or queen", infoset.key[1:]


def hand_class(infoset):
    """A river of hold'em in which suits of hands are forgotten: AA, KQs, KQo and so on."""
    hand, _, *line = infoset.key.split(" ")
    suits = "s" if hand[1] == hand[3] else "o"
    return infoset.player, hand[0] + hand[2] + suits, tuple(line)


def forget_bets(infoset):
    """Leduc poker in which players forget the bets of the first round: imperfect recall."""
    before, is_later, after = infoset.key.partition("/")
    if not is_later:
        return None
    return infoset.player, before[0], after, infoset.actions


def tell_ranks(first, second):
    """Return the map of Leduc poker in which each player tells ranks apart that a dot separates: ``"JQ.K"``.

    So they see the hand and the public card. They know whether they have a pair, and remember all
    that they knew.
    """

    def find_bucket(infoset):
        groups = (first, second)[infoset.player].split(".")
        group = {rank: group for group in groups for rank in group}
        hand, _, after = infoset.key.partition("/")
        known = infoset.player, group[hand[0]], hand[1:]
        if not after:
            return known
        return *known, group[after[0]], hand[0] == after[0], after[1:]

    return find_bucket
