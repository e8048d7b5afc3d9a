from .errors import AlgorithmError as AlgorithmError
from .errors import EquilibristError as EquilibristError
from .errors import GameError as GameError
from .errors import SolutionError as SolutionError
from .game import CHANCE as CHANCE
from .game import TERMINAL as TERMINAL
from .game import Game as Game
