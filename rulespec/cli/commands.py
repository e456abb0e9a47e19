"""The commands, and their help texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from . import arguments

Adder = Callable[[argparse.ArgumentParser], None]


class Bound(Enum):
    """The work of a command that `--timeout` limits."""

    COMMAND = "all of it"
    PART = "a part of it, which the command sees to"


@dataclass(frozen=True)
class Command:
    """One command: the module with its function, its help, and its limits.

    A supervised command runs in a child of the command line, which a parent ends: at a signal, and if it
    exceeds `--memory` or, if that limits all of it, `--timeout`. A command that may go on for ever names the
    `step` with its own limit (see `budgets.watchdog`).
    """

    module: str
    summary: str
    text: str
    examples: tuple[str, ...]
    add: Adder
    supervised: bool = True
    timeout: Bound = Bound.COMMAND
    step: str = ""


PLY = "one ply, or the list of actions of one position,"
"""The step of commands that play."""

COMMANDS: dict[str, Command] = {
    "list": Command(
        "listing",
        "name the shipped rulesets",
        "Names the rulesets that come with rulespec, each with its number of players and its title; variants "
        "stand below the ruleset that they extend.",
        ("rulespec list",),
        arguments.json,
        supervised=False,
    ),
    "check": Command(
        "checking",
        "read rulesets or pages, run their examples, name every fault",
        "Reads rulesets and runs the examples in them, or runs the fenced examples of Markdown pages. "
        "Every fault of every file is named in one run, with its line and column. A source map that no "
        "longer fits the rules is a fault too. The exit status is 2 where something cannot be read or "
        "takes too much work, 1 where an example fails. No claim is decided: that is `prove`. Of a "
        "variant it runs the examples that it inherits, and counts those that are about other settings or "
        "that it drops. Shipped rulesets that passed are not checked again until a ruleset, or the "
        "program, has changed. It plays about a second at random, with fixed seeds, and tells as doubts, "
        "which leave the exit status alone, what the author may not have meant: values that do not fit, "
        "players who never move, actions, ends, branches and winners never seen, actions with one notation, "
        "what everybody sees of what is hidden, a declaration that nothing uses, a condition that the types "
        "settle, a score that is the same for all, numbers and bounds that the prose has otherwise, effects "
        "on the wrong player. With --deep it decides which of "
        "these are so for certain, and reports other idle parts, too: a requirement or law that refuses "
        "nothing, a claim that presupposes what never is, a reading that changes nothing.",
        ("rulespec check", "rulespec check my-game.yaml --deep", "rulespec check docs/"),
        arguments.check,
    ),
    "new": Command(
        "beginning",
        "write a ruleset to begin with",
        "Writes a small game of a kind into a new file, or a variant of a game that changes nothing yet. "
        "Beside it goes the JSON Schema of rulesets, by which editors of YAML complete keys and mark those "
        "that there are not.",
        ("rulespec new board my-game.yaml", "rulespec new variant my-nim.yaml --of nim"),
        arguments.new,
        supervised=False,
    ),
    "fmt": Command(
        "formatting",
        "lay files of rulesets out",
        "Writes the formal text of rulesets in its canonical layout, as the rulebook shows it. "
        "Comments, prose and the order of keys stay; the meaning does not change, which the digest "
        "shows. With --check it only names the files that are laid out otherwise, and the exit status is 1 "
        "if there are any.",
        ("rulespec fmt my-game.yaml", "rulespec fmt my-game.yaml --check"),
        arguments.fmt,
        supervised=False,
    ),
    "explain": Command(
        "explaining",
        "explain the code of a message",
        "Says what a message means, why it is one, and what helps. The code stands in brackets in the "
        "message.",
        ("rulespec explain name.reserved", "rulespec explain"),
        arguments.explain,
        supervised=False,
    ),
    "show": Command(
        "texts",
        "print the rules",
        "Prints the rulebook of a game: its parameters, its rules in order, the readings of every ruling "
        "(the chosen one marked with *) and its claims. With --rule of a ruling it says below each other "
        "reading which claims change under it, as far as their verdicts were checked here.",
        (
            "rulespec show sacred-alignment",
            "rulespec show sacred-alignment --rule ascending --formal",
            "rulespec show tic-tac-toe --code",
        ),
        arguments.show,
        supervised=False,
    ),
    "play": Command(
        "playing",
        "play in the terminal",
        "Draws the board and asks for actions, typed in notation (Tab completes them) or by number. "
        "`help` in the game lists the other commands: undo, hint, why an action is refused, save. "
        "A person sees only what the rules show to that player, and so do the players of the machine. A "
        "record, and the play that --json prints, holds everything. Lines may also come from a pipe.",
        (
            "rulespec play sacred-alignment-small --seed 4",
            "rulespec play connect-four --player 2=search:5",
            "rulespec play smith --players 4 --player greedy --player 1=person --player 3=search",
            "rulespec play sacred-alignment-small --player random --seed 4 --record play.json",
            "rulespec play smith-small --player random --seed 1 --record playthrough.json --full",
            "rulespec play --resume play.json",
        ),
        arguments.play,
        step=PLY,
    ),
    "replay": Command(
        "playing",
        "play a record again",
        "Plays a record again by the rules and says how it ended. An action that the rules refuse is "
        "named with its line and the rules that refuse it. A record that was written with --full is compared "
        "at every ply: it reports the first at which another action is legal, or a player sees something "
        "else.",
        ("rulespec replay play.json", "rulespec replay play.json --steps"),
        arguments.replay,
        step=PLY,
    ),
    "perft": Command(
        "playing",
        "count the sequences of actions up to a depth",
        "Counts the sequences of exactly 1, 2, … N actions from the start. Chance comes from the seed, "
        "draw by draw the same in every branch. Any slip in a rule changes these numbers.",
        ("rulespec perft sacred-alignment-small --depth 2",),
        arguments.perft,
        step=PLY,
    ),
    "simulate": Command(
        "simulating",
        "play many games and report how they go",
        "Plays many games and reports how long they are, who wins, how they end, which actions occur and "
        "what "
        "is scored, each number with its 95% interval. The same seed gives the same games, whatever --jobs "
        "is. Games are kept as they come: the same command continues one that was interrupted or "
        "killed, and with more --games it adds to those that are there.",
        (
            "rulespec simulate tic-tac-toe --games 100000 --seed 1",
            "rulespec simulate stout --players 2 --games 1000 --seed 1 --plot lengths.svg",
            "rulespec simulate connect-four --games 100 --policy greedy --policy 1=search:50 --seed 1",
            "rulespec simulate connect-four --games 100000 --policy search --seed 1 --on dask://cluster:8786",
        ),
        arguments.simulate,
        step=PLY,
    ),
    "why": Command(
        "playing",
        "say why an action is refused",
        "Names the rules that refuse an action, and what made each of them false: at the start of a game,"
        " or in a position of a record.",
        (
            'rulespec why sacred-alignment-small "place 0-0 2.2.2/2.2.3" --seed 1',
            'rulespec why "lift 0-1" --record play.json --ply 3',
        ),
        arguments.why,
        step=PLY,
    ),
    "prove": Command(
        "proving",
        "decide claims",
        "Decides the claims of a ruleset from its rules: proved, refuted, holding up to some depth, or "
        "undecided within the time. Verdicts are kept with their evidence in verdicts.json.gz beside the "
        "ruleset, one by one, so that an interrupt loses nothing. For a claim that fails it prints the "
        "play that shows it: by which clause each ply was taken, what it changed, and which part of the "
        "claim "
        "fails where it ends, with which values. If the answer depends on a reading, it also prints that "
        "play under the other reading.",
        (
            "rulespec prove sacred-alignment-small",
            "rulespec prove sacred-alignment-small zero-cheat --draw",
            "rulespec prove sacred-alignment zero-cheat --all-readings --each 30",
            "rulespec prove sacred-alignment-small zero-cheat --record witness.json",
        ),
        arguments.prove,
    ),
    "solve": Command(
        "proving",
        "settle one deal: the best that can be reached",
        "Finds the best that can be reached from one deal, everything hidden being known, and prints a "
        "play that reaches it; or shows that nothing does.",
        (
            "rulespec solve sacred-alignment-small --seed 1",
            "rulespec solve sacred-alignment-small --deal play.json --record best.json",
        ),
        arguments.solve,
    ),
    "hint": Command(
        "hinting",
        "say the next step of a deal, and what excludes the others",
        "Says what can still be reached from a position, everything hidden being known, and the next step of "
        "a play that reaches it. In the time that is left it decides for each other action whether the same "
        "can be reached after it, and names for those that exclude it a minimal set of requirements: while "
        "these hold, no play reaches the goal, but without any one of them one would. Where others are as "
        "good, or were not decided, it says so. The exit status is 1 if nothing can be reached any more.",
        (
            "rulespec hint sacred-alignment-small --seed 1",
            "rulespec hint --record play.json --ply 20",
            "rulespec hint eight-puzzle --position nearly-solved --play 'slide 1'",
        ),
        arguments.hint,
    ),
    "survey": Command(
        "surveying",
        "ask one question of many deals",
        "Asks a claim of many deals and reports the share of them in which it holds, or how its values lie, "
        "with 95% intervals; deals that stay undecided are counted apart. Every answer is kept with its "
        "evidence as it falls: the same command continues one that was interrupted or killed, and with "
        "more --deals "
        "it adds to those that are there.",
        (
            "rulespec survey sacred-alignment --claim zero-cheat --deals 1000 --each 30",
            "rulespec survey sacred-alignment-small --deals 50 --database small.sqlite",
            "rulespec survey sacred-alignment --deals 10000 --on dask://cluster:8786",
        ),
        arguments.survey,
    ),
    "generate": Command(
        "generating",
        "make puzzles: deals by criterion, with their answers",
        "Asks the goal of one deal after the other, measures those that are decided, and collects those that "
        "meet every criterion: solvable (1 if the goal can be reached), value (the best that can be), length "
        "(the plies of the play that was found), work (the plies that the policy search plays before it "
        "finds one, a measure of difficulty), or another claim that is asked of a deal, such as a count of "
        "solutions. Without --want solvable=..., only deals in which the goal can be reached count. Answers "
        "are kept as those of a survey: the same command continues one that was interrupted.",
        (
            "rulespec generate sacred-alignment --want value=0 --number 20 --output puzzles.json",
            "rulespec generate eight-puzzle --want 'length>=25' --want 'work>=1000' --number 5",
            "rulespec hint --record puzzles.json#3",
        ),
        arguments.generate,
    ),
    "certify": Command(
        "rechecking",
        "give certificates to what an engine or a search showed",
        "Decides again what stored verdicts say is impossible, and keeps a proof of each refutation beside "
        "the verdicts, so that `recheck` needs no engine: its checker goes through the proofs. The value "
        "of best play is searched for again, and the strategies that show it are kept. Verdicts that have "
        "a certificate are skipped, so an interrupted run continues where it stopped.",
        ("rulespec certify", "rulespec certify tic-tac-toe --again"),
        arguments.certify,
    ),
    "recheck": Command(
        "rechecking",
        "check stored evidence again",
        "Checks the evidence of stored verdicts again, whoever made it: plays are "
        "replayed, explorations repeated, refutations checked by their proofs or, without any, repeated.",
        (
            "rulespec recheck",
            "rulespec recheck sacred-alignment",
            "rulespec recheck connect-four --with bitwuzla --export obligations",
            "rulespec recheck small.sqlite --sample 20",
        ),
        arguments.recheck,
    ),
    "diff": Command(
        "differing",
        "list how two rulesets differ, and decide whether they are the same game",
        "Lists what another ruleset, or the same one under other settings, says differently: parameters, "
        "readings, rules with their prose and formal text, claims. With --prove it decides whether both are "
        "the same game all the same: then the same actions are legal with the same results, from the start "
        "on; otherwise it prints a play that leads to a difference, and names the rule "
        "that makes the difference. With --simulate it plays many games of both and puts their lengths, "
        "winners, ends, scores and actions side by side, each with its 95% interval; where the intervals "
        "do not overlap it says which number is higher. With --since the game is compared with its own "
        "earlier revision.",
        (
            "rulespec diff hex hex-small",
            "rulespec diff my-game.yaml --since HEAD~3",
            "rulespec diff kalah kalah-three-seeds --simulate 1000",
            "rulespec diff smith --reading tie=ender --prove",
            "rulespec diff my-game.yaml my-other-wording.yaml --prove --record apart.json",
        ),
        arguments.diff,
    ),
    "mutate": Command(
        "mutating",
        "break the rules one by one, and report what no example or claim notices",
        "Breaks the formal text of the rules in one place at a time: a requirement or law dropped, a number "
        "shifted, a comparison, connective or quantifier exchanged. Then it runs the examples, and decides "
        "anew the claims whose stored verdicts are settled. A break that nothing notices is reported with "
        "its place: an example or a claim is missing there, or the text says what another says already.",
        (
            "rulespec mutate nim",
            "rulespec mutate sacred-alignment-small --rule ascending --all",
            "rulespec mutate my-game.yaml --no-claims",
        ),
        arguments.mutate,
    ),
    "book": Command(
        "publishing",
        "build the rulebook",
        "Builds the site: rulebook pages with their verdicts, and your own pages with their examples. If "
        "any example, verdict or fence is wrong, every one of them is named and no page is written. "
        "`book new DIR` writes a project to begin with: a game, its pages and their configuration.",
        (
            "rulespec book",
            "rulespec book --prove",
            "rulespec book --config my/mkdocs.yml --out public",
            "rulespec book --pdf smith",
            "rulespec book new my-games",
        ),
        arguments.book,
        timeout=Bound.PART,
        step="one page",
    ),
    "coverage": Command(
        "covering",
        "say what became of each sentence of a document",
        "Compares a document, its source map and the rules: whether the map accounts for "
        "every sentence as it stands in the document, whether every rule comes from a sentence or says that "
        "it is ours, and whether map and rules agree on which. It counts the sentences that words of "
        "the rulebook page tell, and with `--where` shows these words, with their headings and anchors. "
        "Without a document only maps and rules are compared.",
        (
            "rulespec coverage my-game.yaml --document rules.txt --draft",
            "rulespec coverage my-game.yaml --document rules.txt",
            "rulespec coverage smith",
        ),
        arguments.coverage,
        supervised=False,
    ),
    "schema": Command(
        "texts",
        "print the JSON schema of what a command prints with --json",
        "Prints the JSON Schema (draft 2020-12) of what a command prints with --json. The schema `error` "
        "is that of wrong input, whatever the command; `ruleset` is that of rulesets, for editors of YAML.",
        ("rulespec schema", "rulespec schema perft", "rulespec schema ruleset"),
        arguments.schema,
        supervised=False,
    ),
}
