"""English. Where it is the only language that fills a field, the others do without yet.

Its lists of words differ on purpose: what says nothing in a search ("again") may say
something in a rule, and what every session speaks of ("branch") is worth searching for.
"""

from holdfast.language.en.quoting import QUOTING
from holdfast.language.en.rules import RETRACTIONS, RULES
from holdfast.language.en.statements import NEXT_STEPS, STATEMENTS
from holdfast.language.en.talk import QUESTIONS, REQUESTS, TALK
from holdfast.language.language import Language, Words

# With a full stop that ends no sentence.
_SHORTENED = (
    "etc", "vs", "cf", "ex", "eg", "ie", "approx", "incl", "resp", "fig", "esp", "max", "min",
)  # fmt: skip

LANGUAGE = Language(
    code="en",
    rules=RULES,
    retractions=RETRACTIONS,
    statements=STATEMENTS,
    next_steps=NEXT_STEPS,
    talk=TALK,
    questions=QUESTIONS,
    quoting=QUOTING,
    requests=REQUESTS,
    words=Words(
        small="""
            adds between causes comes either else etc however itself least maybe neither probably quite rather
            though until upon usually whether whole whose within
        """,
        common="""
            about above actually add added adding after again agent all already also always and another any
            anything app apply approach are ask available back bad base basically because been before being
            below better bin both branch build but call called can case change changed changes check checked
            claude clean clearly cmd code command commit common completely consider const correct could couldn
            create created current data default delete did different does doesn doing don done each edit ensure
            error even every example existing expected fail failed failing failure far file files find first fix
            fixed follow for found from full func function general get give given go goes going good got had
            happens has have help her here his hmm home how https idea implement import include index info init
            inside instead internal into isn issue its itself json just keep kind know last less let lets lib
            like line lines list local log look looks made main make many may maybe mean means method might mod
            more most move much must name need needed needs never new next none not note noticed now null object
            off okay old once one only open option other our out output over own package part pass path paths
            per pkg place please possible problem project prompt provide pull push put question quick read
            really reason remove removed rename repo result return review right root run running same saved saw
            say see seems session set setup should shouldn show showing shows side simple since some something
            src start state still stop string support sure system take task tell test testing tests text than
            that the their them then there these they thing things think this those through time todo too tool
            top true try two type under understand update updated use used user users using util utils value
            version very want was wasn way we well were what when where which while who why will with without
            work working works would wouldn write yeah yes yet you your
        """,
        unspoken="""
            about after all also and any are before but can does don each for from had has have here how into
            its just make must not only our please should sure than that the them then there they this use using
            was were what when which who why will with you your
        """,
        stop="""
            a about after again all an and any are as at be been before being both but by can could d did do
            does doing don down each few for from had has have having he her here him his how i if in into is it
            its just ll m me more most my no not now o of on only or other our out over own re s same she should
            so some such t than that the their them then there these they this those to too up us ve very was we
            were what when where which who whom why will with would y you your
        """,
        fillers="""
            again also can could get got here just let lets like look looking looks need new now one please
            right see some still there thing things think two use want well yeah yes
        """,
        articles="the our this all and every for",
        negations="never not dont don't don no avoid always do",
        shortened=_SHORTENED,
        days_ago={"today": 0, "yesterday": 1, "tomorrow": -1},
    ),
)
