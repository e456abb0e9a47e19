"""Faults of the machine: code that runs would say something else than its text."""

from __future__ import annotations

from .fault import Fault

MACHINE = "rulespec/machine"
COLUMNS = "rulespec/core/columns.py"
NUMBERS = ("tests/code/test_code_numbers.py",)
OUTLINING = ("tests/machine/test_outlining.py",)
SEMIJOINS = ("tests/code/test_code_semijoins.py",)
REMEMBERING = ("tests/machine/test_remembering.py",)

FAULTS: tuple[Fault, ...] = (
    Fault(
        f"{MACHINE}/webassembly/instructions.py",
        "        if offset < 0 or (isinstance(array, f.Static) and rest is not None and known > 0):\n",
        "        if offset < 0:\n",
        "An index below 0 to which something is added stays an address of the table.",
        ("tests/machine/test_subset.py",),
    ),
    Fault(
        f"{MACHINE}/runtime.py",
        "            if not isinstance(part, Array) or part.kind is not t or part.memory is not memory:\n",
        "            if not isinstance(part, Array):\n",
        "An array is read as what it is, in the memory that it lies in.",
        ("tests/machine/test_memory.py",),
    ),
    Fault(
        f"{MACHINE}/builder.py",
        "        if isinstance(array, f.Local) and array.name in self.state:\n            self.begin_version()\n",
        "",
        "What was worked out of a state is forgotten where the state changes.",
        ("tests/machine/test_building.py",),
    ),
    Fault(
        f"{MACHINE}/subset/translator.py",
        "            self.module.functions[name] = begin_with_version(replace(function, name=name))\n",
        "            self.module.functions[name] = replace(function, name=name)\n",
        "What was worked out of a state is forgotten where a function is called from outside.",
        REMEMBERING,
    ),
    Fault(
        "rulespec/code/body.py",
        '            self.do("keep", S, at, 0, *val.parts)\n            self.begin_version()\n',
        '            self.do("keep", S, at, 0, *val.parts)\n',
        "What was worked out of a state is forgotten where a list of it changes.",
        ("tests/code/test_code_lists.py",),
    ),
    Fault(
        "rulespec/code/list_updates.py",
        "    return all(structural_key(",
        "    return True or all(structural_key(",
        "Elements stay in place only where the list that is read is the one that is assigned to.",
        ("tests/code/test_code_lists.py",),
    ),
    Fault(
        "rulespec/code/effects.py",
        " if var is e.var and not reads_variable(e.source, target):\n",
        " if var is e.var:\n",
        "Elements are shuffled in a list only if nothing that selects them reads the list.",
        ("tests/code/test_code_lists.py",),
    ),
    Fault(
        "rulespec/code/effects.py",
        "            isinstance(x, n.Can) or (isinstance(x, n.Get) and x.var in changed and x not in own)\n",
        "            isinstance(x, n.Can)\n",
        "The conditions of a loop are asked beforehand only where no body changes that of a later element.",
        SEMIJOINS,
    ),
    Fault(
        "rulespec/code/bitsets/semijoins.py",
        "        with w.when(equal(lowest_position(inverse), w.bit(key, first.keys))):\n",
        "        with w.when(equal(ZERO, ZERO)):\n",
        "A condition on the first key with a value is not asked of another key with it.",
        SEMIJOINS,
    ),
    Fault(
        "rulespec/code/bitsets/semijoins.py",
        "    if not rejects_none:\n        return None\n",
        "",
        "A condition that may hold of values at no key is not asked of the keys alone.",
        SEMIJOINS,
    ),
    Fault(
        f"{MACHINE}/passes/state_versions.py",
        "                fresh = then[1] and other[1]\n",
        "                fresh = True\n",
        "A new state begins unless none was asked for since the last began.",
        REMEMBERING,
    ),
    Fault(
        f"{MACHINE}/passes/state_versions.py",
        "                if last:\n",
        "                if False:\n",
        "A new state begins behind a change whose values were asked for.",
        REMEMBERING,
    ),
    Fault(
        f"{MACHINE}/state_memoisation.py",
        '            f.Compare("!=", f.Load(f.NUMBER, held, place), number),\n',
        '            f.Compare("==", f.Load(f.NUMBER, held, place), f.Const(f.NUMBER, 0)),\n',
        "A result is that of the state as it is.",
        REMEMBERING,
    ),
    Fault(
        f"{MACHINE}/passes/memoisation.py",
        "width << bits, first=1 + truth)\n",
        "width << bits)\n",
        "No result is found before it was worked out.",
        ("tests/machine/test_function_caching.py",),
    ),
    Fault(
        f"{MACHINE}/passes/memoisation.py",
        "        self.occurring = _count_names(self.of.body) + Counter(name for name, _ in self.of.parameters)\n",
        "        self.occurring = _count_names(self.of.body)\n",
        "What a loop finds is kept for all that it follows from, such as what a function takes.",
        OUTLINING,
    ),
    Fault(
        f"{MACHINE}/passes/memoisation.py",
        "            first = _count_names(node.value if type(node) is f.Set else node)\n",
        "            first = [x.name for x in nodes_of(node) if type(x) is f.Local]\n",
        "What a loop finds is kept for what a variable was that it may leave as it was.",
        OUTLINING,
    ),
    Fault(
        f"{MACHINE}/passes/memoisation.py",
        "        return not may_return(node)\n",
        "        return True\n",
        "A loop that may end its function stays in it.",
        OUTLINING,
    ),
    Fault(
        f"{MACHINE}/passes/scalar_replacement.py",
        "                called |= effects.read | effects.changed\n",
        "                called |= effects.changed\n",
        "An element that a call reads stays in its array.",
        ("tests/machine/test_scalar_promotion.py",),
    ),
    Fault(
        f"{MACHINE}/subset/translator.py",
        "            self.changed |= before is not None\n",
        "",
        "A function is written again where a variable got another type after its first use.",
        ("tests/machine/test_subset.py",),
    ),
    Fault(
        f"{MACHINE}/passes/inlining.py",
        " and parameter not in changed:\n",
        ":\n",
        "A parameter that a function sets is a variable of its own where its body is put in.",
        ("tests/machine/test_scalar_promotion.py",),
    ),
    Fault(
        f"{MACHINE}/passes/scalar_replacement.py",
        "        if may_return(node):\n",
        "        if False:\n",
        "Elements are stored again where a loop ends its function.",
        ("tests/machine/test_scalar_promotion.py",),
    ),
    Fault(
        "rulespec/code/bitsets/algebra.py",
        "            if not step or distances != [*range(distances[0], distances[-1] + 1, step)]:\n",
        "            if not step:\n",
        "Sets are joined as a ray only if they lie at equal distances.",
        ("tests/code/test_code_multiword.py",),
    ),
    Fault(
        "rulespec/code/bitsets/static_relations.py",
        "        found = edges.preimage(tuple(map(intersection, frontier, through)))\n",
        "        found = edges.preimage(frontier)\n",
        "A step starts only from elements for which its condition holds.",
        ("tests/code/test_code_multiword.py",),
    ),
    Fault(
        "rulespec/code/bitsets/semijoins.py",
        "    return any(isinstance(x.type, Scalar) and _first_key(",
        "    return any(_first_key(",
        "Of a definition that takes none, nothing follows where a value has no key.",
        ("tests/code/test_code_semijoins.py",),
    ),
    Fault(
        COLUMNS,
        "[[places.get(value, OUTSIDE) for value in column.values] for",
        "[[places.get(value, 0) for value in column.values] for",
        "A definition has a value only for arguments that it takes.",
        ("tests/core/test_columns.py",),
    ),
    Fault(
        COLUMNS,
        "        codes = self._spread(column, (*axes, axis))\n",
        "        codes = self._spread(column, (axis, *axes))\n",
        "The values for the elements of a loop lie side by side.",
        ("tests/core/test_columns.py",),
    ),
    Fault(
        "rulespec/code/move_generation/legal_actions.py",
        "        if free or any(map(w.program.reads_state, together)) or not (of and other) or 1 not in self.ready:\n",
        "        if free or not (of and other) or 1 not in self.ready:\n",
        "Choices go together by classes only where the rules alone say so.",
        ("tests/code/test_code_products.py",),
    ),
    Fault(
        "rulespec/code/effects.py",
        "                if var is first.target and isinstance(key, n.Local) and asked is key.var:\n",
        "                if isinstance(key, n.Local) and asked is key.var:\n",
        "A store clears nothing only in the map that the rules say holds none there.",
        ("tests/code/test_code_vacant.py",),
    ),
    Fault(
        "rulespec/code/effects.py",
        "    first = effects[0] if effects else None\n",
        "    first = effects[-1] if effects else None\n",
        "A store clears nothing only where none came before it.",
        ("tests/code/test_code_vacant.py",),
    ),
)
