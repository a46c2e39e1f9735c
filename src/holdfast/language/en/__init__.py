"""English. Where it is the only language that fills a field, the others do without yet."""

from holdfast.language.en.rules import RETRACTIONS, RULES
from holdfast.language.en.statements import NEXT_STEPS, STATEMENTS
from holdfast.language.en.talk import QUESTIONS, REQUESTS, TALK
from holdfast.language.en.words import WORDS
from holdfast.language.language import Language

LANGUAGE = Language(
    code="en",
    rules=RULES,
    retractions=RETRACTIONS,
    statements=STATEMENTS,
    next_steps=NEXT_STEPS,
    talk=TALK,
    questions=QUESTIONS,
    requests=REQUESTS,
    words=WORDS,
)
