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

SECRET_ACTIONS = CARDS.replace(
    "- id: out\n",
    """\
- id: discard
  prose: Put a card away unseen, or for the other player to see.
  action: c in hand[mover], open in Bool
  secret: "c shown to those p in Player where open"
  written: discard {c} {open}
  do: |
    remove c from hand[mover]
    put c under pile
- id: swap
  prose: Exchange a card with the top of the pile, which the notation tells.
  action: c in hand[mover]
  secret: action
  written: swap {c} {top(pile)}
  require:
    pile:
      prose: There is a pile.
      that: pile is not empty
  do: |
    move top of pile into hand[mover]
    remove c from hand[mover]
    put c under pile
- id: look
  prose: Look at the card on the pile, which the notation tells.
  action: n in 1..2
  written: look {top(pile)} {n}
  do: trump := top(pile)
- id: out
""",
)
"""Cards with choices and actions that others do not learn, and notation that reads what is hidden."""

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
COINS = """\
rulespec: 1
id: coins
title: Coins
rules:
- id: row
  prose: Four coins in a row; take the first or the last, three times.
  formal: |
    type Coin = 1..4
    state row: list of Coin up to 4 = []
    state taken: set of Coin = {}
  setup: shuffle Coin into row
- id: take
  prose: Take one.
  action: last in Bool
  written: take {if last then "last" else "first"}
  do: |
    if last: move top of row into taken
    else: move bottom of row into taken
- id: three
  prose: Three are enough.
  end: size(taken) = 3
claims:
- id: no-one
  prose: The one can be left.
  reachable: size(taken) = 3 and not 1 in taken
- id: anything
  prose: Three can be taken.
  reachable: size(taken) = 3
- id: first-two
  prose: The least of the first that is taken.
  least: sum(c for c in taken)
  when: size(taken) = 1 and not 1 in taken and not 2 in taken
- id: low
  prose: The one and the two can be taken first.
  reachable: size(taken) = 2 and 1 in taken and 2 in taken
- id: share
  prose: How often the one can be left.
  share-of-deals: no-one
  deals: 12
- id: share-low
  prose: How often the one and the two can be taken first.
  share-of-deals: low
  deals: all
- id: share-first-two
  prose: How often the first can be three or four.
  share-of-deals: first-two
  deals: all
- id: always
  prose: Three can always be taken.
  every-deal: anything
- id: never-two
  prose: The first can be three or four.
  every-deal: first-two
- id: not-always-two
  prose: Not always is the first one or two at either end.
  every-deal: first-two
  is: no
"""
RULED = """\
rulespec: 1
id: ruled
title: Steps by rulings
players: 1
rules:
- id: place
  prose: A token stands on a strip.
  formal: |
    state square: 0..9 = 0
    define far: 1..3 = if length is one then 1 else if length is two then 2 else 3
- id: length
  prose: How far a step goes.
  question: How far?
  readings:
    one:
      prose: One.
    two:
      prose: Two.
    three:
      prose: Three.
- id: start
  prose: Whether it may go back.
  question: May it?
  readings:
    ahead:
      prose: It may not.
    both:
      prose: It may, from the last place.
- id: step
  prose: Step.
  action: ()
  written: step
  require:
    room:
      prose: There is room.
      that: square + far <= 9
  do: add far to square
- id: back
  prose: Go back to the start.
  action: ()
  written: back
  require:
    there:
      prose: It is the last place, and it may.
      that: start is both and square = 9
  do: square := 0
- id: home
  prose: It ends on the eighth place.
  end: square = 8
claims:
- id: even
  prose: It stands on even places only.
  invariant: square mod 2 = 0
- id: home-again
  prose: It can come home.
  reachable: square = 8
- id: odd
  prose: It never comes to the last place.
  unreachable: square = 9
- id: soon
  prose: Somebody can go on for ever.
  kind: endless
- id: never-stuck
  prose: It never stands still.
  kind: never-stuck
  across: [length, start]
"""
"""A game with two rulings and claims whose answers depend on them."""
