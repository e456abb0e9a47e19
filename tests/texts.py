"""Small rulesets as texts, for tests of what reads files."""

COUNTDOWN = """\
rulespec: 1
id: countdown
title: Countdown
summary: Take one or two; who takes the last one wins.
players: 2
rules:
- id: heap
  prose: There are five counters.
  formal: |
    state left: 0..5 = 5
    state last: Player? = none
- id: take
  prose: Take one counter or two.
  action: n in 1..2
  written: take {n}
  require:
    enough:
      prose: No more than there are.
      that: n <= left
  do: |
    remove n from left
    last := mover
- id: bare
  prose: The game ends when nothing is left.
  end: left = 0
- id: winner
  prose: Who took the last one wins.
  winners: those p in Player where last = p
claims:
- id: ends
  prose: Every play ends.
  terminates: left
- id: never-six
  prose: There are never six.
  invariant: left <= 5
"""
"""Two players, nothing hidden, two claims that are proved at once."""

RULING = """\
- id: opening
  prose: How the first may take.
  question: May one take two at first?
  readings:
    two: Yes.
    one: No.
- id: opening-law
  prose: The first takes one, if so.
  about: n in 1..2
  binds: [take]
  that: opening is two or last is some or n = 1
- id: bare
"""
"""What stands in place of the head of the end of a countdown to let a reading forbid the first action."""

CARDS = """\
rulespec: 1
id: cards
title: Cards
players: 2
rules:
- id: table
  prose: Everybody holds cards that only they see; of the pile nobody sees more than its size.
  formal: |
    type Card = 1..6
    hidden state hand: map Player -> set of Card = {p -> {} for p in Player}
    hidden state pile: list of Card up to 6 = []
    hidden state trump: Card? = none
    state shown: set of Card = {}
  sees: |
    hand[viewer]
    size(hand[p]) for p in Player
    size(pile)
- id: deal
  prose: Two cards each.
  setup: |
    shuffle Card into pile
    for p in Player: move top 2 of pile into hand[p]
    trump := bottom(pile)
- id: show
  prose: Show a card.
  action: c in hand[mover]
  open: c
  written: show {c}
  do: move c from hand[mover] to shown
- id: out
  prose: Who is out of cards first wins.
  end: some p in Player satisfies hand[p] is empty
- id: winner
  prose: The highest card shown wins.
  winners: those p in Player where hand[p] is empty
diagram:
- mark: hand
  for: p in Player
  items: hand[p]
  text: '{p}'
- mark: hand
  items: shown
  text: Shown
"""
"""Two players with hidden hands, a pile of which only the size is seen, and a diagram."""

HEAPS = """\
rulespec: 1
id: heaps
title: Heaps
players: 1
rules:
- id: heap
  prose: A die says how many counters there are.
  formal: |
    type Face = 1..8
    state left: 0..8 = 0
    state taken: 0..4 = 0
- id: deal
  prose: Roll it.
  setup: |
    roll left from Face
- id: take
  prose: Take one counter or two, four times at most.
  action: n in 1..2
  written: take {n}
  require:
    enough:
      prose: No more than there are.
      that: n <= left and taken < 4
  do: |
    remove n from left
    add 1 to taken
- id: bare
  prose: The game ends when nothing is left.
  end: left = 0
claims:
- id: three
  prose: Three times are enough to take everything, and are needed or possible.
  reachable: left = 0 and taken = 3
  from: deal
- id: fewest
  prose: How often one must take.
  least: taken
  when: left = 0
  from: deal
"""
"""One player, a die, two claims that are asked of a deal and decided at once."""
