from .explanation.explain import explain as explain
from .explanation.explanation import Explanation as Explanation
