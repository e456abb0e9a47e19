/** Why an action is illegal: the conditions that it fails, in the words of the rules. */
import { Notation } from "./notation.js";

export class Refusals extends Notation {
  /**
   * Everything that makes an action illegal; empty for a legal one. Each is `{kind, id, clause, text, fact}`: `kind`
   * is `requirement`, `choice` (a value that cannot be chosen) or `over`, `clause` the id of the rule, `text` its
   * sentence, and `fact` what is so of a choice, else empty.
   * @param {State} state @param {Action} action */
  refusals(state, action) {
    if (!this.isAction(action)) throw new Error("this is no action of the game");
    if (this.isLegal(state, action)) return [];
    const found = [];
    if (this.over(state)) {
      const { ended, by, text } = /** @type {Outcome} */ (this.outcome(state));
      found.push({ kind: "over", id: ended, clause: by || "", text: state.fault ? text : "the game is over: " + text, fact: "" });
    }
    const made = this.choices(action);
    const meanings = this.bundle.refused[action.action];
    this.ask("refused", state, action);
    const fails = this.machine.take(this.r, this.layout.width, meanings.length);
    let absent = -1;
    meanings.forEach((meaning, i) => {
      if (!fails[i]) return;
      if (meaning.kind === "requirement") {
        found.push({ kind: "requirement", id: meaning.id, clause: meaning.clause, text: meaning.text, fact: "" });
        return;
      }
      const choice = this.about.actions[action.action].choices[meaning.choice];
      const value = /** @type {any} */ (made[meaning.choice]);
      if (meaning.kind === "where" && absent === meaning.choice) return;
      if (meaning.kind === "choice") absent = meaning.choice;
      const isStep = choice.chain && meaning.kind !== "where", step = isStep ? this.values.write(this.types[choice.type].of, value[fails[i] - 1]) : "";
      const shown = isStep ? "step " + fails[i] + ", " + step + "," : this.values.write(choice.type, value);
      const fact = meaning.kind === "size" ? choice.name + " has 1 to " + meaning.most + " steps, not " + value.length : shown + " " + meaning.absent;
      found.push({ kind: "choice", id: choice.name, clause: meaning.clause, text: meaning.text, fact });
    });
    return found;
  }
}
