from .curves import convergence as convergence
from .forests import infosets as infosets
from .forests import tree as tree
from .grid import strategy as strategy
from .movement import trajectories as trajectories
from .paths import spiral as spiral
from .regrets import regret as regret
from .surface import landscape as landscape
