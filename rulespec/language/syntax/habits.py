"""Habits from other languages, each with the equivalent here.

`SIGNS` are patterns in formal text that cannot be parsed; `NAMES`, `CALLS` and `FIELDS` give advice on
unknown names.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class Habit(NamedTuple):
    """A stretch of formal text with the habit of another language."""

    start: int
    end: int
    advice: str


_LOOP = "`for x in S:` and effects below it; nothing repeats without a bound"
_DEFINE = "a definition is `define name(x: T) = …`, among the declarations under `formal`"
_IF = "`if … then … else …` in an expression, `if …:` and effects below it in an effect"

_MEMBERS = "named members are `type Suit = one of red, black`"
_BLOCK = "a block inside a block begins on a line of its own, indented"

SIGNS: tuple[tuple[str, str], ...] = (
    (r"(?<![!<>])===?", "equality is `=`"),
    (r"!==|<>|/=(?=\s*\w)|~=|=!", "inequality is `!=`"),
    (r"<<|>>", "there are no operations on bits"),
    (r"(?<=\w)->(?=\w)", "a field is `c.rank`"),
    (r":-", _DEFINE),
    (r"=>|⇒", "at least is `>=`; what follows from a condition stands after `then`"),
    (r"=<", "at most is `<=`"),
    (r"&&", "write `and`"),
    (r"^\s*type\b[^\n=]*=\s*\{[^}\n]*:[^}\n]*\?", "a field of a record is never none: its type has no `?`"),
    (r"^\s*type\b(?:[^\n]*(?:=\s*[\w ]+[|,]|=\s*\[|\bof\s*\{|^\s*type\s+\w+\s+one\b)|[^\n=]*:)", _MEMBERS),
    (r"^\s*(?:hidden|secret|private)\s+(?:state\s+)?\w+\s*:|^\s*state\s+(?:hidden|secret)\b[^\n]*",
     "write `hidden state x: T = …`"),
    (r"^\s*state\b[^\n]*(?::=|\bis\s)", "the first value stands after `=`: `state x: 0..9 = 0`"),
    (r"^\s*define\b[^\n]*:=", _DEFINE),
    (r"\|\s*\w+\s*\||\A\s*#[^\n]*\Z|\[\s*#", "the number of elements is `size(x)`"),
    (r"\|\|?", "write `or`; the union of two sets is `+`"),
    (r"!(?!=)|~(?!=)|\\\+", "write `not`"),
    (r"\+\+", "write `add 1 to x`"),
    (r"--(?!\s)(?=\s*$)|(?<=\w)--", "write `remove 1 from x`"),
    (r"\+=", "write `add … to x`"),
    (r"-=", "write `remove … from x`"),
    (r"\*\*|\^", "there are no powers; multiply with `*`"),
    (r"\*=|/=|%=", "write `x := x * …`, or with `div` or `mod`"),
    (r"//|/\*|\*/", "whole numbers are divided by `div`; a comment begins with `#`"),
    (r"%", "the remainder is `mod`"),
    (r"/", "whole numbers are divided by `div`"),
    (r"<-|←", "what is stored stands after `:=`"),
    (r"\.\.\.|\.\.[<=]|…", "a range is `0..9`, both ends included"),
    (r"(?<![\w.-])\d+-\d+(?![\w-])", "a range is `0..9`, both ends included"),
    (r"\?[^?\n]*:", f"write {_IF}"),
    (r"\b(?:elif|elsif|elseif|elsewhen)\b", "write `else if`"),
    (r"\breturn\b", "a definition is its value: `define name(x: T) = …`"),
    (r"\b(?:def|func|function|fn|fun)\b", _DEFINE),
    (r"^\s*to\s+[\w-]+\s*:", "an effect has brackets, even if they are empty: `to name():`"),
    (r"\blambda\b", f"functions are not values; {_DEFINE}"),
    (r"\b(?:var|const|local)\b", "write `let x be …` in an effect, `state x: T = …` among declarations"),
    (r"\bwhile\b(?=[^\n]*:\s*$)|\bwhile\s*\(|\bloop\b|\brepeat\b|\buntil\b", f"write {_LOOP}"),
    (r"\{[^}\n]*\bfor\s+each\b", "a set has each kind once; all things in a bag are `[k for each k in b]`"),
    (r"\bfor\s+(?:each|every|any|some)\b|\b(?:foreach|for\s*all|forall)\b|∀",
     f"write {_LOOP}, or `every x in S satisfies …`"),
    (r"\b(?:exists|there\s+(?:is|are))\b|∃", "write `some x in S satisfies …`"),
    (r"\bfor\s*\(", f"write {_LOOP}"),
    (r"\bfor\b[^:\n]*:[^\n]*\b(?:if|for)\b", _BLOCK),
    (r"\bif\b[^:\n]*:[^\n]*\b(?:if|for)\b[^:\n]*:", _BLOCK),
    (r"\bin\s+those\s+\w+\s+in\b", "what narrows a set stands after it: `x in S where P`"),
    (r"\bwhere\b[^\n]*\bwith\s+(?:most|least)\b", "`with most …` stands before `where`"),
    (r"\bfor\b[^\n\]})]*\bin\b[^\n\]})]*\bif\b", "what narrows a set stands after `where`, not `if`"),
    (r"\bif\b[^\n]*\{\s*$|^\s*\}", "blocks are indented below a line that ends in `:`"),
    (r"(?<=[^\s:;])[ \t]+if\b[^\n:]*(?:\belse\b|$)|\bif\s*\([^\n]*,", f"write {_IF}"),
    (r"\bf\"|\bf'|`", "texts with places in them stand under `written`, as in `written: take {n}`"),
    (r"'", 'quoted notation goes in `"`'),
    (r";\s*$", "a line ends by itself"),
    (r"\bxor\b", "of two conditions one alone holds where they are `!=`"),
    (r"\b(?:switch|case|match|when)\b", "write `if … then … else if …`"),
    (r"\bin\s+range\s*\(", "a range is `1..n`, both ends included"),
    (r"\bis\s+(?:null|nil|None|undefined)\b", "write `is none`"),
    (r"\bset\b\s+\w+\s+to\b", "write `x := …`"),
    (r"\bincrement\b|\bincrease\b", "write `add 1 to x`"),
    (r"\bdecrement\b|\bdecrease\b", "write `remove 1 from x`"),
    (r"\bimplies\b|->(?=[^\n]*\bsatisfies\b)", "write `not a or b`, or narrow with `where`"),
    (r"\bthen\b(?=[^\n]*(?::=|\badd\b|\bmove\b|\bremove\b))", "an effect is `if …:` and effects after it"),
    (r"\$|@", "names are letters, digits, `_` and hyphens"),
    (r"\bis\s+(?:not\s+)?-?\d", "equality is `=`, inequality is `!=`"),
    (r"\bis\s+(?:not\s+)?in\b", "write `x in S`, `x not in S`"),
    (r"\b(?:any|one)\s+of\s+\d", "a set goes in braces: `x in {1, 2}`"),
    (r"[=<>]\s*\w+\s*[,;]\s*\w+\s*[=<>]|\bor\s+else\b|\band\s+then\b", "write `and`, or `or`"),
    (r"\bnot\s*[=<>]", "inequality is `!=`; `not` stands before a condition"),
    (r"[<>]=?\s*[\w.]+\s*[<>]=?(?!=)", "write `a < b and b < c`, or `b in 1..3`"),
    (r"\bin\s*\([^()\n]*,", "a set goes in braces: `x in {1, 2}`"),
    (r"\b\d+\s+to\s+\d+\b", "a range is `1..6`, both ends included"),
    (r"\bbetween\b", "write `x in 1..6`, both ends included"),
    (r"\[[^\]\n]*:[^\]\n]*\]|\b[A-Z]+\d+:", "a part of a list is `l[2..4]`"),
    (r"\?\?", "write `a otherwise b`"),
    (r"\?[.\[]", "reading at none gives none, without a sign"),
    (r"\bAND\b|\bOR\b|\bNOT\b|\bIF\b|\bTHEN\b|\bELSE\b|\bIN\b", "words of the language have small letters"),
    (r"\biff\b", "two conditions agree where `a = b`"),
    (r"\bunless\b", "write `not`"),
    (r"\blet\b[^\n;]*\bbe\b[^\n;]*\bin\b", "write `let x be e; f`"),
    (r"(?<![\w.])\d+\.\d+|(?<![\w.])\d+(?:_\d|e\d)", "numbers are whole and have only digits"),
    (r"\bexactly\b|\bat\s+(?:least|most)\s+\d", "write `count(x in S where P) = n`"),
    (r"[{\[]\s*\w+\s+in\b[^\n]*\bwhere\b|^\s*\w+\s+in\s+\S+\s+where\b", "write `those x in S where P`"),
    (r"^\s*[\w.-]+(?:\[[^]\n]*\])?\s+where\b", "write `if P then x else none`, or `those x in S where P`"),
    (r"\{\s*[\w-]+\s*:[^}\n]*\bfor\b|\{\s*\d+\s*:", "a map is `{k -> v for k in K}`"),
    (r"\b(?:abs|size|sum|max|min|count)\s+(?!in\b|is\b|and\b|or\b|div\b|mod\b|then\b|else\b)[a-z]",
     "the operand goes in brackets: `size(x)`, `count(x in S where P)`"),
    (r"\b(?:some|every|no)\s*\(|\b(?:some|every|no)\s+\w+\s+satisfies\b",
     "write `some x in S satisfies P` without brackets"),
    (r"\b(?:those|the|first)\s+\w+\s+in\b[^\n]*\bwith\b(?!\s+(?:most|least))",
     "what narrows a set stands after `where`"),
    (r"\bthe\s+\w+\s+with\s+(?:most|least)\b", "write `the p in Player with most score(p)`"),
    (r"\(\s*(?:and|or|[<>]?=|<|>|\+|\*)\s", "`and`, `=`, `+` and the like stand between two sides"),
    (r"\(\s*[a-z]+\s+(?:[A-Z]|\()|\btrue\s*\(", "what is asked stands before the brackets: `f(x, y)`"),
    (r"\b(?:top|last|bottom)\s+of\b(?<!move top of)(?<!move bottom of)", "write `top(l)`, `bottom(l)`"),
    (r"\b[\w-]+\s+of\s+mover\b|\bplayer\s+\d", "players are numbers; what one has is `hand[mover]`"),
    (r"\bthe\s+\w+\s+(?:is|has)\b|(?<!end )\bthe\s+\w+\s*$", "a name stands without `the`"),
    (r"\s(?:has|have|contains|includes|holds)\s", "write `x in s`, or `size(s) = n`"),
    (r"\b(?:plus|minus|twice|half)\s+\w|\w\s+(?:squared|doubled|tripled)\b|[a-z)\]]\s+times\s+\w",
     "write `+`, `-`, `*` or `div`"),
    (r"\bis_?[Ee]mpty\s+\w", "write `x is empty`"),
    (r"^\s*(?:where|when|once|as\s+soon\s+as|only\s+if)\b", "a condition stands by itself"),
    (r"\A\s*=", "a value or condition stands by itself"),
    (r"\b(?:add|remove)\s+(?:(?!all\b|top\b)[a-z][\w-]*|\([^()\n]*\))\s+\w+\s+(?:to|from)\b",
     "as many as a number says: `add n to purse[red]`"),
    (r"^\s*(?:push|insert|append)\b|\badd\b[^\n]*\b(?:onto|on|into)\b|\badd\s*\(",
     "write `add x to s`, or `put x under l` for the bottom of a list"),
    (r"^\s*remove\s+(?:the\s+)?(?:top|bottom|last|first)\b|^\s*draw\s+(?:the\s+)?(?:top|bottom)\b",
     "write `remove top of l`, or `move top of l into s`"),
    (r"^\s*(?:delete|del|discard|erase)\s+\w", "write `remove x from s`"),
    (r"^\s*draw\s+(?:\d+\s+(?:\w+\s+)?from|an?)\b", "write `draw n of s into b`"),
    (r"\bfor\s+\w+\s*=", "write `for x in 1..3:`"),
    (r"\bfor\s+\w+\s*,", "a loop has one name: `for x at i in l:`"),
    (r"(?:^|:)\s*(?:pass|skip|noop)\s*$", "an effect that does nothing is `nothing`"),
    (r"(?:^|:)\s*(?:break|continue)\s*$", f"write {_LOOP}"),
    (r":=\s*roll\b|(?:^\s*|(?<=[:;] ))roll\b(?![^\n;]*\b(?:from|of)\b)", "write `roll x from 1..6`"),
    (r"^\s*swap\b(?:\s*\(|[^\n]*(?:,|\band\b))", "write `swap a with b`"),
    (r"(?:^\s*|(?<=[:;] ))move\s+(?:top|bottom|all)\b[^\n]*\bto\b",
     "write `move top of l onto m` for a list, `into` for a set or a place"),
    (r"^\s*move\s+the\b|^\s*move\s+(?:\S+\s+to\b|\d+\s+\w+\s)"
     r"|^\s*move\b(?!\s+(?:top|bottom|all))[^\n]*\bfrom\b[^\n]*\b(?:into|onto)\b",
     "write `move x from a to b`; in a list it is the top then"),
    (r"^\s*(?:remove|add)\s+(?:all|each|every)\b[^\n]*\b(?:from|to)\b",
     "several at once are taken away by `s := s - t` and added by `s := s + t`"),
    (r"\bsets\s+of\s+\d+(?:\.\.\d+)?\s+(?:of|in|out|among)\b",
     "a choice of several is `cards in sets of 3 from hand[mover]`"),
    (r"^\s*deal\b", "write `shuffle S into l`, and `move top 3 of l into hand[p]`"),
    (r"^\s*(?:win|lose)\b|\bend\s+(?:the\s+)?game\b|\bgame\s+over\b",
     "ends and winners are rules: `end:`, `winners:`"),
    (r"^\s*(?:next|pass|skip|end)\b[^\n]*\b(?:player|turn)\b|^\s*give\s+turn\b|\bnext\s+player\b",
     "who acts next is said under `turn`, or in an effect by `give the turn to p`"),
    (r"^\s*(?:require|assert)\b", "conditions of an action stand under its `require`"),
    (r"\b(?:Option|Optional|Maybe)\b|\|\s*none\b|:\s*\w+\s+or\s+none\b|:\s*\?\w",
     "a value or none is of the type `T?`"),
    (r"^\s*enum\b|=\s*enum\b|^\s*type\b[^\n]*=\s*(?:\w+\s*\||\{\s*\w+\s*[,}]|\(\s*[a-z]\w*\s*,)"
     r"|\bone\s+of\s*[\[\"]"
     r"|\bone\s+of\s+[\w-]+\s+(?!as\b)\w",
     _MEMBERS),
    (r"\b(?:record|struct|tuple)\b|=\s*\(\d|\{\s*\w+\s*(?:=|:[^}\n]*;)|\d\s+x\s+\d",
     "a record is `{row: 1..3, col: 1..3}`"),
    (r"\b(?:list|bag)\s+of\s+\w+\s*=", "a list or a bag has a bound: `list of T up to 9`"),
    (r"\b(?:set|list|bag)\s+of\s+(?:set|list|bag|map)\b",
     "sets and lists hold single values; only the values of a map are collections: `map K -> set of T`"),
    (r"\bset\s+of\s+\S+\s+up\b", "a set needs no bound"),
    (r"\b[A-Za-z]\w*\s*<\s*[A-Z]|\b(?:[Ll]ist|[Ss]et|[Mm]ap)\s*\[|\w\[\d*\]\s*=|\b(?:[Dd]ict|[Aa]rray"
     r"|List|Set|Map)\s|\bmap\s+of\b"
     r"|\bmap\s+\w+\s+to\b|:\s*(?:sets|lists|stack|deck|queue)\s+of\b|\bset\s+[A-Z]\w*\s*=",
     "collections are `list of T up to 9`, `set of T`, `bag of T up to 9` and `map K -> T`"),
    (r"^\s*state\s+[\w-]+\s*=", "a variable has a type: `state x: 0..9 = 0`"),
    (r"^\s*state\s+[\w-]+\s*,|^\s*state\b[^\n]*,\s*\w+\s*:",
     "each variable is declared on a line of its own"),
    (r"^\s*(?:state|type)\s+\w+\s+\w+\s*[:=]", "a name has no spaces, but may have hyphens"),
    (r"^\s*define\b[^\n]*\)\s*->", "the type of a definition stands after a colon: `define f(x: T): U = …`"),
    (r"^\s*define\s+[\w-]+\(\s*\w+\s*[,)]", "each parameter has a type: `define f(x: 0..9) = …`"),
    (r"^\s*define\s+[\w-]+\(\s*\)", "a definition without parameters has no brackets"),
    (r"^\s*to\s+[\w-]+\([^\n]*\)\s*(?:=|$)", "an effect is `to name(x: T):` with what it does below it"),
    (r"^\s*(?:import|include|using)\b", "libraries stand under `uses`"),
    (r"^\s*(?:call|execute|run|await)\s+\w", "an effect is done by its name with brackets: `f(x)`"),
    (r"^\s*(?:try|catch|except|finally)\b[^\n]*:|^\s*(?:throw|raise)\s+\w",
     "what must not happen is refused under `require`, or asked before: `if …:`"),
    (r"^\s*(?:begin|do)\b(?!\s*[(:\[])|^\s*end\s*$", "blocks are indented below a line that ends in `:`"),
    (r"^\s*(?:add|remove)\s+\S+\s*$|^\s*(?:take|subtract)\s+\S+\s+from\b|^\s*(?:inc|dec|incr|decr)\s+\w",
     "write `add n to x`, `remove n from x`"),
    (r"^\s*(?:place|give|put)\s+\S+\s+(?:on|onto|to|in|into|at)\b", "write `add x to s`, or `m[k] := x`"),
    (r"^\s*(?:clear|reset|empty)\s+\w|:=\s*\(\s*\)", "write `x := {}`, `x := []`, `x := none` or `x := 0`"),
    (r"^\s*(?:choose|select|pick)\s+\w", "a player chooses under `action`, as in `action: k in 1..2`"),
    (r"^\s*flip\b", "write `roll x from Bool`"),
    (r"^\s*(?:show|reveal)\s+\w", "what is `hidden` is shown under `sees`; all else is open"),
    (r"^\s*\w+\s+(?:wins|loses)\b", "ends and winners are rules: `end:`, `winners:`"),
    (r":=[^\n]*\bfor\b|^\s*for\b[^\n:]*(?:,|\w\s*:=)|^\s*for\s+\w+\s*:", f"write {_LOOP}"),
    (r"^\s*\(?\w+\s*,[^\n]*:=|:=[^\n(\[{]*(?:,|\band\b[^\n]*:=)",
     "each store is one effect: `x := 1; y := 2`"),
    (r":\s=", "write `:=`, without a space"),
    (r"^\s*for\s+\w+\s+(?:of|from)\b", "write `for x in S:`"),
    (r"^\s*otherwise\s*:", "write `else:`"),
    (r"\bequals?\b|\bdoes\s+not\b|\bis\s+equal\s+to\b|\bis\s+the\s+same\s+as\b|\b(?:can|must|should)\s+be\b"
     r"|\bisnt\b|\bas\s+\d", "equality is `=`, inequality is `!=`"),
    (r"\bis\s+(?:greater|less|more|fewer|bigger|smaller)\b|[<>=]\s*(?:than|to)\b",
     "write `<`, `<=`, `>` or `>=`"),
    (r"\bbut\s+\w|\bboth\s+\w", "write `and`"),
    (r"\beither\s+\w|\bneither\s+\w", "write `a or b`, `not a and not b`"),
    (r"\b(?:rem|modulo)\s+\w|\bdivided\s+by\b", "whole numbers are divided by `div`; the remainder is `mod`"),
    (r"(?<!for )\b(?:each|all|none|any|least\s+one)\s+\w+\s+in\b|\b(?:all|both)\s+players\b"
     r"|\b(?:whoever|everyone|everybody|anyone|anybody)\b",
     "write `every x in S satisfies …`, or the same with `some` or `no`"),
    (r"\bsatisfying\b|\bsuch\s+that\b",
     "what narrows a set stands after `where`; a quantifier goes on with `satisfies`"),
    (r"\b(?:number|amount)\s+of\b|\bcount\s*\(\s*[\w-]+\s*(?:\)|,|in\b[^\n()]*,)",
     "write `size(x)`, or `count(x in S where P)`"),
    (r"\bin\s+-?\d+\s*,", "a set goes in braces: `x in {1, 2}`"),
    (r"\bis\s+an?\s+\w|\btypeof\b|\binstanceof\b", "a subset is asked by `x in T`; every name has one type"),
    (r"[=<>]\s*\d{1,3}[, ]\d{3}\b|\b0x\w+", "numbers have only digits, without signs between them"),
    (r"=\s*\+\d", "a number has no `+` before it"),
    (r"\.\w+\(", "what is asked of a value is a definition: `f(x)`, not `x.f()`"),
)  # fmt: skip
"""Patterns of formal text with the advice for each; more specific ones come first."""


def _by_word(*rows: tuple[str, str]) -> dict[str, str]:
    """The advice by word, from rows of advice and words."""
    return {word: advice for advice, words in rows for word in words.split()}


_SIZE = "the number of elements is `size(x)`"
_PUT = "write `add x to s` for a set, `move x from s to t` between places"

NAMES = _by_word(
    ("write `true`", "True TRUE yes Yes"),
    ("write `false`", "False FALSE No"),
    ("what is not there is `none`", "null None nil undefined NULL Null nobody nothing empty"),
    ("the player to move is `mover`", "current_player currentPlayer current-player self this me active"),
    (
        "the next player is `after(mover)`",
        "opponent other enemy next_player nextPlayer otherPlayer other-player next-player opposite-player",
    ),
    ("numbers have a range as their type: `0..9`", "int Int integer Integer float number Number Nat real"),
    ("conditions are of the type `Bool`", "bool boolean Boolean"),
    ("words are a type: `type Suit = one of hearts, spades`", "str string String text char"),
    ("every number has a bound", "infinity inf Infinity"),
    ("a definition is its value: `define name(x: T) = …`", "result output"),
    ("write `top(l)`; to take it away, `move top of l into s`", "top bottom card cards"),
    ("who has won is asked by `won(p)`", "winner winners"),
    ("players are numbers, `mover = 1`", "player1 player2 Player1 Player2 P1 P2"),
    ("numbers are written in digits", "zero one two three four five six seven eight nine ten"),
    ("write `x mod 2 = 1`", "odd even"),
    ("chance is an effect: `roll x from 1..6`", "d4 d6 d8 d10 d12 d20"),
    ("variables are asked by their names alone", "state game board"),
    ("who acts is `mover`, and next `after(mover)`; `give the turn to p` and `turn: next` change it", "turn"),
    ("points are `score:` in a rule; `score(p)` reads them", "score points"),
)
"""The advice for names of other languages."""

CALLS = _by_word(
    (_SIZE, "len length card cardinality Count"),
    ("a range is `1..n`, both ends included", "range xrange seq"),
    ("chance is an effect: `roll x from 1..6`", "random randint rand choice dice roll draw sample"),
    ("chance is an effect: `roll x from 1..6`", "RANDBETWEEN"),
    ("write `some x in S satisfies …`", "any exists ANY"),
    ("write `every x in S satisfies …`", "all forall ALL everyone"),
    ("write `those x in S where …`", "filter select"),
    ("write `[…]`, `{…}` or `{k -> v for k in T}`", "list set tuple dict map"),
    (_PUT, "append push insert add extend"),
    ("write `remove x from s`; `top(l)` is the topmost", "pop remove delete discard"),
    ("every name has one type; `is some` tells that something is there", "isinstance typeof type"),
    ("numbers are whole; `div` rounds down", "floor round ceil trunc"),
    ("there are no powers; multiply with `*`", "pow sqrt exp"),
    ("nothing is printed; a caption is a layer of `diagram`", "print log echo"),
    ("write `x in s`", "contains has includes member"),
    ("write `x is empty`", "empty isEmpty is_empty"),
    ("write `top(l)` or `l[1]`", "last first"),
    (
        "the next player is `after(p)`",
        "next successor opponent other otherPlayer other-player next-player nextPlayer enemy",
    ),
    ("sets are gone through in ascending order", "sorted sort reversed reverse"),
    ("write `for x at i in l`", "enumerate zip ipairs pairs"),
    ("it stands between two sides: `a and b`, `n mod 2`", "AND OR and or MOD mod XOR xor DIV div"),
    ("write `not a`", "NOT"),
    (f"write {_IF}", "IF iif"),
    ("write `count(x in S where P)`", "COUNTIF countif count_if COUNT"),
    ("words of the language have small letters: `sum(l)`", "SUM MAX MIN ABS"),
    ("numbers are whole: `sum(l) div size(l)`", "average AVERAGE avg mean"),
    ("write `x is none`", "ISBLANK isnull is_none isNone"),
    ("inequality is `!=`", "distinct neq"),
    ("whether an action is legal is `can move(s, t)`", "legal does is_legal isLegal"),
    ("first values are those of `state x: T = …`; more is done under `setup`", "init start"),
    ("points are `score:` in a rule", "goal"),
    ("ends and winners are rules: `end:`, `winners:`", "win lose endGame end_game end"),
)
"""The advice for functions of other languages."""

FIELDS = _by_word(
    (_SIZE, "length len size count"),
    (_PUT, "append push add"),
    ("write `top(l)` or `l[1]`", "top last first bottom"),
    ("write `x in s`", "contains includes has"),
    ("write `x is empty`", "empty isEmpty is_empty"),
    ("the keys of a map are its type: `for k in T`", "keys values items"),
    ("write `m[k]`", "value get"),
)
"""The advice for fields and methods of other languages."""

_QUOTED = re.compile(r'"[^"\n]*"|#[^\n]*')


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """The patterns of the signs, compiled when a text cannot be read."""
    return [(re.compile(pattern, re.MULTILINE), advice) for pattern, advice in SIGNS]


def habit_in(formal: str, line: int, column: int) -> Habit | None:
    """The habit of another language that made a text unreadable, with offsets in the text; else None.

    That is the first one on the line where reading stopped that reaches as far, else the last one before.
    """
    if empty := len(formal) - len(formal.lstrip("\n")):  # before a declaration, as many as lines before it
        habit = habit_in(formal[empty:], line - empty, column)
        return habit and Habit(habit.start + empty, habit.end + empty, habit.advice)
    lines = formal.split("\n")
    begin = sum(len(one) + 1 for one in lines[: line - 1])
    at = begin + column - 1
    plain = _QUOTED.sub(lambda found: found.group()[0] + "\0" * (len(found.group()) - 1), formal)
    best: tuple[tuple[bool, int, int], Habit] | None = None
    for order, (pattern, advice) in enumerate(_patterns()):
        for found in pattern.finditer(plain):
            first = found.start() + len(found.group()) - len(found.group().lstrip())
            there = plain.count("\n", 0, first) + 1
            if there > line or first > at + 1:
                continue
            rank = (there == line, -max(0, at - found.end()), -order)
            if best is None or rank > best[0]:
                best = rank, Habit(first, max(found.end(), first + 1), advice)
    return best[1] if best is not None else None
