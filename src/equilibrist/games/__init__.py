"""Where games come from: the built-in ones, OpenSpiel, Gambit files and files of Python.

`games.registry` lists the built-in games, `games.load` finds any game by its text; imports `game` and `form`.
"""

from .battleship import Battleship as Battleship
from .goofspiel import Goofspiel as Goofspiel
from .kuhn import Kuhn as Kuhn
from .leduc import Leduc as Leduc
from .liars_dice import LiarsDice as LiarsDice
from .matrix import BiasedRockPaperScissors as BiasedRockPaperScissors
from .matrix import Blotto as Blotto
from .matrix import MatchingPennies as MatchingPennies
from .matrix import Matrix as Matrix
from .matrix import RockPaperScissors as RockPaperScissors
from .mini_euchre import MiniEuchre as MiniEuchre
from .no_limit_leduc import NoLimitLeduc as NoLimitLeduc
