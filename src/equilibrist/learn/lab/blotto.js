// Colonel Blotto against regret matching.

import { mount } from "./mount.js";
import { makeRegretLab } from "./regret-lab.js";

mount("blotto", (box, options) => makeRegretLab(box, options, ["blotto"]));
