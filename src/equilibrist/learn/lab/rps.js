// Rock, paper, scissors against regret matching.

import { mount } from "./mount.js";
import { makeRegretLab } from "./regret-lab.js";

mount("rps", (box, options) => makeRegretLab(box, options, ["fair", "double"]));
