"""English words whose forms no ending tells: `wrote` is of `write`, `indices` of `index`.

A closed list of the grammar. Left out are forms that are mostly another word (`bit`,
`lives`, `ground`) and forms that are no different from their word (`set`, `read`).
"""

_VERBS = """
    become became, begin began begun, bend bent, bind bound, bleed bled, blow blew blown,
    break broke broken, breed bred, bring brought, build built, burn burnt, buy bought,
    catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt,
    dig dug, do done, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven,
    eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found,
    flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
    forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given,
    go goes went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held,
    keep kept, know knew known, lay laid, lead led, learn learnt, leave left, lend lent,
    lose lost, make made, mean meant, meet met, mistake mistook mistaken,
    override overrode overridden, overwrite overwrote overwritten, pay paid,
    rebuild rebuilt, redo redid redone, resend resent, rethink rethought,
    rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise rose risen,
    run ran, say said, see saw seen, seek sought, sell sold, send sent,
    shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk,
    sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken,
    spend spent, spin spun, stand stood, steal stole stolen, stick stuck,
    strike struck stricken, swear swore sworn, sweep swept, swim swam swum, swing swung,
    take took taken, teach taught, tear tore torn, tell told, think thought,
    throw threw thrown, understand understood, undo undid undone, unwind unwound,
    wake woke woken, wear wore worn, weave wove woven, win won, wind wound,
    withdraw withdrew withdrawn, write wrote written
"""
_NOUNS = """
    analysis analyses, child children, criterion criteria, foot feet, goose geese,
    half halves, hypothesis hypotheses, index indices, knife knives, man men,
    matrix matrices, mouse mice, person people, phenomenon phenomena, shelf shelves,
    tooth teeth, vertex vertices, wife wives, woman women
"""


def _bases() -> dict[str, str]:
    entries = (entry.split() for entry in f"{_VERBS},{_NOUNS}".split(","))
    return {form: base for base, *forms in entries for form in forms}


BASES = _bases()
