"""What a language is to this house: how people say in it what holds, what is next, …

One value per language, in the file that has its code: `fr.py`, `de.py`, … A field with no
default is one that every language has; the others are empty where a language does without.

An expression is written for `re.VERBOSE | re.IGNORECASE`: a blank in it is `\\s`. It stands
beside those of other languages, so it groups without capturing, unless its field says so.
"""

from collections.abc import Mapping

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass


class Cue(NamedTuple):
    """An expression, and words of which one stands, in small letters, in all it finds."""

    expression: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a user says that something holds beyond the request it stands in."""

    cues: str  # says so, wherever in a sentence
    shapes: str  # a lasting choice without a word for "always"
    weak_cues: str = ""  # says so unless the sentence describes something
    describes: str = ""  # how a sentence begins that does: a subject
    nods: str = ""  # what may stand before that: "yes", "but"
    likeness: str = ""  # has the words of a rule and is none: an answer, a guess
    reported: str = ""  # somebody else's words follow
    begins: str = ""  # begins a request that only lays down a rule
    marks: str  # what makes a rule of a sentence, and is not what it is about
    lasts: str  # what holds beyond the work at hand
    passing: str  # obliges, prefers or corrects, which the next request ends
    general: str  # speaks of every case, or of a case that comes again
    forbids: str  # what says that something is not to be
    corrects: str  # how a correction begins
    repeats: str  # says that a mistake was made again


@dataclass(frozen=True, slots=True, kw_only=True)
class Retractions:
    """How a user takes a rule back."""

    forget_that: str  # what was said just before: "never mind"
    before_that: str = ""  # words that may stand before it: "actually"
    behind_that: str = ""  # particles that may stand behind it
    rule_nouns: str = ""  # speaks of rules as such
    forget: str = ""  # captures the verb that says it of what is named
    lapsed: str = ""  # captures what says that it does not apply any more
    no_more: str = ""  # also confirms what was forbidden before
    allows: str  # what was forbidden
    only_takes_back: str = ""  # and cannot be meant as a rule itself
    filler: tuple[str, ...] = ()  # words that do not name what is taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """How somebody says what was decided, found out, done or given up."""

    decided: Cue
    says_decided: str = ""  # the beginning that a decision need not have
    user_decided: Cue = Cue()
    found: Cue
    not_it: Cue  # what was found before is not so
    real_cause: Cue  # by naming another one
    still: str  # how a user says that something is as bad as it was
    refutes: str  # how a user says that what the agent said is not so
    root_cause: str = ""
    reason: str = ""  # what gives one, in small letters only
    supposes: str  # what may be so
    points_back: str = ""  # begins with what was said before
    gave_up: Cue = Cue()
    gave_up_named: str = ""  # takes back what it names
    why: str = ""  # what gives the reason why something was given up, in small letters
    undoes: str = ""  # a user who wants back what was there before
    all_green: str = ""
    committed: str = ""
    changed: str = ""
    denies: str = ""
    heads_open: str = ""  # a line that heads what is open: "Remaining issues:"
    heads_well: str = ""  # or what is well, which a reader can do without


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSteps:
    """How an agent says what is still to be done."""

    says: str
    heading: str  # of a list of steps
    left_alone: str = ""  # what is listed there needs nothing
    wanted: str  # is still to be done to something, or not as it should be
    unsure: str = ""  # is to be looked at, not known
    by_user: str  # tells the reader what to run, press or open: "now run"
    by_hand: str = ""  # leads to what the reader must do, and no agent can


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What an agent says along the way, which tells nothing once the work is done."""

    announces: str  # the next call
    tell_tale: str = ""  # small words that English does without
    leads_on: str = ""  # to what follows a colon
    filler: str = ""
    opening: str = ""  # a nod before what is said
    offers: str = ""
    empty_heading: str = ""
    any_work: str = ""  # could be said about any
    closes_any_work: str = ""  # could stand at the end of any
    next_step: str = ""  # on the way to the next step
    holds_up: str = ""  # unless there is something in it that does
    did: str = ""  # what was done
    did_listed: str = ""  # the same, as a line of a list begins
    qualifies: str = ""  # the sentence before it
    points: str = ""  # its subject was named before it
    goes_on: str = ""  # ends in what comes next
    numbers: str = ""  # in words
    reasoned: str = ""
    trouble: str = ""  # what was in the way
    about_to: str = ""  # begins what is said to be done next
    verdict: str = ""  # captures what a report comes to, behind the word for it
    sets_out: str = ""  # how any report begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """How somebody asks, and how somebody answers in a word or two."""

    asked: str  # though not always with a question mark
    asks_at_end: str = ""  # particles that end a question without one
    tell_me: str  # asks to be told which, without a question: "tell me which"
    courtesy: str  # asks whether there is anything more, and waits for nothing
    heading: str = ""  # of a list of what may be answered
    which: str  # asks to choose
    option: str = ""  # what an option is called
    yes: str
    choosing: str = ""  # words before the label that is picked
    joins: str  # "and" between two labels
    behind_label: str = ""  # words that may follow one
    going_on: str = ""  # words with which a sentence goes on behind it
    between: tuple[str, ...] = ()  # joins two options in a line
    tells_later: str  # begins an answer that only promises one: "I'll tell you"
    only_plans: str  # puts the work itself off: "no code yet, just plan"
    refuses: str = ""  # whoever says what they do not want has picked nothing
    ordinals: str = ""  # captures "first", "second", "third", "fourth", each by its own
    resume: str = ""  # answers to "resume it?"
    keep: str = ""
    discard: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoting:
    """How a user leads to a text that somebody else wrote, and how such a text looks."""

    leads_in: str  # a sentence before one: "translate this", "here is the log"
    reads: str  # asks about somebody's words alone, which then go on to the end: "translate this"
    points: str = ""  # names one, and leads to it where it ends in a colon: "this mail"
    shows: str  # leads to one where it asks: "this", "below"
    wishes: str  # heads what the user wants, before a colon: "rules"
    headers: str  # names before a colon at the head of a mail or a ticket
    greets: str  # begins a letter
    signs_off: str  # ends one
    wrote: str  # how a line ends, before its colon, that quotes a mail
    commented: str = ""  # how a line ends that heads somebody's comment


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """How a user asks for work, and how much of that says what it is."""

    polite: str  # what a request begins with before it says what is wanted
    asks_kindly: str  # for work, in the form of a question: "could you"
    slips: str  # says that the agent was stopped by mistake
    stops: str  # a whole prompt that only ends what runs: "kill it"
    redoes: str  # begins what is to be done once more: "try again", "once more"
    greets: str  # a whole prompt that says no more than hello
    opines: str  # what somebody thinks of something
    bare: str = ""  # a whole request that says nothing alone: "fix it"
    no_gist: str = ""  # begins what is said about something, not what is to be done
    told_opening: str = ""  # begins what is told as done: "I have now"
    settles: str = ""  # what the user decided between two ways
    nods: str  # words, without accents, that ask for nothing new: "continue", "ok"
    chores: str  # words for what follows any work: "commit"
    beside_chores: str = ""  # words that say no more beside one: "the changes"
    adds: str  # begins or ends what only adds to the request before: "and", "too"
    remarks: str = ""  # begins what is told of something that was named before: "it"
    kinds: Mapping[str, str]  # of work, by what is asked for
    intents: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words that hold sentences together and are about nothing, and a few others."""

    small: str = ""  # without accents and of three letters or more
    common: str = ""  # that every session has
    unspoken: str = ""  # two texts are not about one thing because both have them
    stop: str = ""  # no passage is found by them, only phrases
    fillers: str = ""  # of requests
    articles: str = ""  # before what a fact is about
    negations: str = ""  # two statements that differ in them only contradict each other
    shortened: tuple[str, ...] = ()  # with a full stop that ends no sentence
    days_ago: Mapping[str, int]  # "yesterday"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """All that depends on a language."""

    code: str
    rules: Rules
    retractions: Retractions
    statements: Statements
    next_steps: NextSteps
    talk: Talk
    questions: Questions
    quoting: Quoting
    requests: Requests
    words: Words
