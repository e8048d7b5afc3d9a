// What a heading means, in a sentence: shown while the pointer rests on it or the keyboard has come to it.
import { h, newId } from "../base/dom.js";
import { capital } from "../base/words.js";

/** Words of the page, each in a sentence or two: the headings of its tables, and others. */
export const MEANINGS = {
  Exploitability:
    "How much more than at equilibrium a perfect opponent would win: the mean over the players of what each could gain by answering best. 0 is an equilibrium.",
  "Largest gain":
    "How much the player gains who wins most by deviating alone, in payoff. With three players and more no theorem makes an equilibrium of it, but at 0 it is one.",
  "Exploitability / largest gain":
    "Of two players the exploitability: what each could gain by answering best, on average. Of three and more the largest of these gains.",
  Value: "What the strategy earns on average, in payoff per game.",
  Algorithm: "How regret turns into a strategy: the variant of counterfactual regret minimisation.",
  Iterations: "How often the game was gone through; after each pass the strategy follows the regrets.",
  Strategy: "How often each action is taken now: in proportion to its regret, where that is above 0.",
  Average:
    "The mean of the strategies so far. It is the average that approaches an equilibrium; the strategy itself may go around it.",
  "Regret sum":
    "How much better than the strategy each action would have been, summed up over the iterations: payoff × probability. To the right is above 0.",
  Regret: "How much better the best action is than the strategy, in payoff.",
  Reach: "How often a play comes here.",
  Probability: "How often the strategy takes the action.",
  "Best value": "What the action is worth with the best play afterwards; payoff.",
  "Over time": "How exact the run was over time, on a logarithmic axis: further down is nearer to an equilibrium.",

  // Runs, reports and what is saved
  Run: "A game that was solved, with its settings and the strategy; the name of its folder.",
  Game: "The rules and settings of what was solved or played.",
  "Nodes touched": "The work: how many histories the recursion of the papers would have visited.",
  Time: "How long was iterated and certified, without compiling and saving.",
  Notes: "Tags and a note of your own, which the search finds.",
  Size: "What the files take on disk.",
  Saved: "When it was last written.",
  Report: "Many runs together: a spot over boards, or a grid of games and algorithms.",
  Kind: "Over boards: one spot on many boards. Study: games × algorithms × settings.",
  About: "What it is of.",
  Tables: "Its numbers as files for other programs.",
  State: "Whether the run waits, is being solved, is done or has failed.",
  Setting: "A setting in which these runs differ.",
  Boards: "How many boards are solved, and of how many.",
  Name: "What it was saved as; / puts it into a folder.",
  Position: "The seat that the range is of.",
  Combos: "How many hands of two cards the range holds, those of a weight below 1 in part.",
  From: "Saved by you, or part of our own solution of preflop play.",

  // Spots
  Hand: "The private cards.",
  Mix: "How often each action is taken, as a bar in the colours of the actions.",
  Frequency: "How often this action is taken. Where a second number is below, it is the EV of the action.",
  Frequencies: "How often each action is taken.",
  EV: "What is won on average from here on: of the pot, less what is still put in, in the unit that is chosen. In chips the EVs of all players sum to the pot.",
  Equity: "The share of the pot that would be won if there were no more betting.",
  EQR: "How much of the equity is realised: EV / (equity × pot). Above 100 % the betting adds to it.",
  Weight: "How much of the hand is in the range here: its weight at the start × probability of the actions so far.",
  Range: "How much of the range it is.",
  "Made hand": "What the cards make together with the board.",
  Share: "How often one of these cards comes, where play goes on to it.",
  Card: "The next card of the board, or one that a player may hold.",
  "Range with a card": "The share of the range that holds the card.",
  Calls: "The share that holds the card of the hands that call: those with at least the equity that the field says.",
  Board: "The public cards.",
  "Stands for": "How many boards this one stands for: its weight in the means.",
  "% of the pot": "Exploitability as a share of the pot at the start.",
  "High card": "The highest rank on the board.",
  Suits: "How many cards of one suit the board has.",
  Pairs: "Whether ranks of the board come twice or more.",
  Connected: "Whether a straight can be made with the cards of the board.",
  "Push to, bb": "The highest stack, in big blinds, with which the hand is all-in at once.",
  "Call to, bb": "The highest stack, in big blinds, with which the hand calls an all-in.",
  At: "All stacks at which the hand is played so, where there are gaps.",
  Street: "Flop, turn or river.",
  Decisions: "Nodes at which a player chooses.",
  Ends: "Nodes at which the hand is over: folds and showdowns.",
  Deals: "Nodes at which a card is dealt.",

  // Answers to an opponent
  Tendency: "What the opponent does more or less often than in the equilibrium, with all hands alike.",
  Before: "How often that is in the equilibrium, where it can be done.",
  After: "How often the opponent does it.",
  "Plays it": "How often the opponent does so there.",
  Loses: "Reach × (value of the best action − value of this one), payoff per game.",
  "Of all": "Its share of all that the opponent loses.",

  // Two side by side
  Player: "Who chooses; 0 is the first.",
  Difference: "The share of the time that the two act differently, at least: ½ Σ |p − q|.",
  "EV, 2 − 1": "EV in the second less EV in the first.",
  "Value of an infoset": "What is won on average once play has come here; payoff.",

  // The tree
  Action: "What can be done.",
  Outcome: "What chance can bring.",
  "Value of an action": "What it is worth to the player, with the strategy afterwards; payoff.",
  "Leads to": "What comes after it.",

  // The histories of an iteration
  "Reach of players":
    "The probability that a player's own moves lead to the history, for each player; then that of chance.",
  "Weight of a history":
    "The probability that chance and the other players lead there: what a value counts in regrets.",
  "Strategy σ": "The probability of the move in this iteration.",
  "Value of a history": "The payoff to the player who moves, with all players following σ afterwards.",
  "Regret of a move": "The value of the move less the value of the history.",
  "Counterfactual regret": "Weight × regret: added to the regret sum.",
  "Next σ": "The strategy of the next iteration, from the regret sums.",
  "Instant regret": "The sum of the counterfactual regrets of this iteration, over the histories of the infoset.",
  "Sum before": "The regret sum before the iteration.",
  "Sum after": "The regret sum after it, with the algorithm's discount and floor.",
  "Average so far": "The average strategy so far: what the run is saved with.",

  // Playing and training
  Line: "The public actions so far.",
  Who: "Who chooses here.",
  Actions: "What can be done here.",
  Reached: "How often a play comes here, by the strategy.",
  "At stake": "What the worst action costs against the best.",
  Class: "Cards of the same ranks, suited or not: AKs.",
  Infoset:
    "An infoset is all that a player knows when it has to choose: its cards and what was done. A strategy says what is done at each.",
  Grade:
    "How much a choice cost: at most 0.1 % of the pot (or the largest payoff) is best, 1 % an inaccuracy, 5 % a mistake, more a blunder.",
  Grades: "How many choices were best, inaccuracies, mistakes and blunders.",
  Choices: "How often you chose.",
  Lost: "What your choices cost all together: each as far as it falls short of the best action.",
  "Per choice": "What a choice cost on average.",
  Score: "1 − what your choices cost / what the worst would have cost.",
  Played: "When it was played.",
  Pupil: "The name that was given at the table.",
  Chose: "What was chosen.",
  Won: "What the hand paid you, net.",
  Cost: "How far your choices in the hand fell short of the best ones.",
  Loss: "How far the action falls short of the best one.",
  Luck: "What the cards and the others' random choices gave you: payoff − best play + cost.",
  Hands: "How many hands were played.",
  Total: "Summed up over the hands.",
  "Per hand": "The mean over the hands.",
  "± s.e.": "The standard error of the mean: how far luck moves it.",
  Where: "What was lost by: a line, a street or a class of hands; an infoset or an action.",
  "Strategy plays": "How often the strategy takes the action.",
  "Played with": "How often the opponent takes the action here.",

  // Hand histories
  "Run plays it": "How often the run does what was played in the hand; of several decisions the mean.",
  Each: "What a decision costs on average, in % of the pot at the start of the spot.",
  Best: "What has the highest value in the run.",
  Files: "How many files of hands there are.",
  Graded: "How many decisions the runs of this folder cover.",
};

/**
 * Return what a heading means, as far as it is in the glossary; the last word may name a player, "EV OOP", "Value P0", and
 * a plural, "Infosets", means what the word means.
 */
export function meaningOf(heading) {
  const name = capital(heading);
  return MEANINGS[name] ?? MEANINGS[name.replace(/ \S+$/, "")] ?? MEANINGS[name.replace(/s$/, "")];
}

let bubble = null;

function show(element, text) {
  hide();
  const box = element.getBoundingClientRect();
  const tip = h("div", { class: "explain-tip", "aria-hidden": "true" }, text);
  (element.closest("dialog") ?? document.body).append(tip);
  const left = Math.min(box.left, innerWidth - tip.offsetWidth - 8);
  const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
  tip.style.setProperty("left", `${Math.max(8, left)}px`);
  tip.style.setProperty("top", `${below ? box.bottom + 6 : Math.max(8, box.top - tip.offsetHeight - 6)}px`);
  bubble = tip;
  const gone = () => {
    if (bubble === tip && element.isConnected) return;
    removeEventListener("pointermove", gone);
    if (bubble === tip) hide();
  };
  addEventListener("pointermove", gone); // what is drawn anew is never left
  addEventListener("scroll", hide, { capture: true, once: true });
  addEventListener("keydown", onEscape, { capture: true });
}

function hide() {
  bubble?.remove();
  bubble = null;
  removeEventListener("keydown", onEscape, { capture: true });
}

const onEscape = ({ key }) => key === "Escape" && hide();

/**
 * Have an element explained by a sentence, for pointers, keyboards and screen readers alike; return it. Where nothing in
 * it can have the focus, it gets it itself.
 *
 * @template {HTMLElement} T
 * @param {T} element
 * @param {string | null | undefined} text
 */
export function explain(element, text) {
  if (!text) return element;
  const focused = /** @type {HTMLElement} */ (element.querySelector("button, a[href]") ?? element);
  const meaning = h("span", { class: "sr", id: newId("meaning") }, text);
  element.append(meaning);
  focused.setAttribute("aria-describedby", meaning.id);
  if (focused === element && !element.matches("button, a[href], input")) {
    element.tabIndex = 0;
    element.classList.add("explained");
  }
  element.addEventListener("pointerenter", () => show(element, text));
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focusin", () => focused.matches(":focus-visible") && show(element, text));
  element.addEventListener("focusout", hide);
  return element;
}

/** Return the heading of a column, with what it means. */
export const heading = (name, { numeric = false, meaning = meaningOf(name) } = {}) =>
  explain(h("th", { scope: "col", class: numeric ? "num" : "" }, name), meaning);
