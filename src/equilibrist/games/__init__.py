"""Where games come from: the built-in ones, OpenSpiel, files of Gambit and files of Python.

`games.load` finds any game by its text, `games.registry` lists the built-in ones, whose classes are
here; files of Gambit are for `games.gambit_read` and `games.gambit_write`. This room imports
`game`, `form` and what is before them.
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
from .phantom import DarkHex as DarkHex
from .phantom import PhantomTicTacToe as PhantomTicTacToe
from .rhode_island import RhodeIsland as RhodeIsland
