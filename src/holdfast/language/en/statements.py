"""How it is said in English what was decided, found out, done, and what is next."""

from holdfast.language.language import Cue, NextSteps, Statements

_CAUSE = r"(?:issue|problem|bug|cause|reason|culprit)"
_STEPS = (
    r"(?:work|tasks?|items?|steps?|to-?dos?|issues?|problems?|failures?|gaps?|questions?|blockers?"
    r"|concerns?)"
)
_HEADS = (
    rf"(?:next\s(?:steps?|up|actions?|tasks?)|remaining\s{_STEPS}|remaining(?=\W*$)|(?:what\s)?still\s(?:to\sdo|open|left"
    r"|missing)|to-?dos?|follow-?ups?|what(?:'s|’s|\sis)\s(?:next|left|missing|still\s\w+)|left\sto\sdo)"
)

STATEMENTS = Statements(
    decided=Cue(
        r"""
        \b(?:decided\s(?:to|on|that|against)|decision:|(?:i|we)(?:'ve|\shave)?\s(?:chose|chosen|opted
          |settled|agreed)|opted\s(?:for|to)|settled\son|agreed\s(?:to|on)|going\swith
          |we(?:'ll|\swill)\sgo\swith|i(?:'ll|\swill)\s(?:use|keep|go\swith)\b.+\b(?:instead\sof|rather\sthan))\b
        """,
        (
            "decided", "decision:", "chose", "opted", "settled", "agreed", "going with", "go with",
            "instead of", "rather than",
        ),
    ),
    says_decided=r"""
    ^(?:so,?\s|then,?\s|therefore,?\s)?(?:(?:i|we)(?:'ve|'ll|\shave|\swill)?\s(?:also\s|finally\s)?
      (?:decided|chose|chosen|opted|agreed|settled)\s(?:to|on|that|for)\s|decision:\s)
    """,
    user_decided=Cue(
        r"""
        \blet'?s\s+(?:\w+\s+)?(?:go\swith|use|keep|stick|rename|drop|leave|only)\b|\b(?:go|went|going)\swith\b
      | \bI'd\s(?:go|use|keep)\b|\bwe(?:'ll|\swill)\s(?:use|go\swith|keep)\b
      | (?:^|\b(?:i|we)(?:'ve|\shave)?\s)decided\b|\binstead\sof\b
        """,
        ("let's", "lets ", " with", "i'd ", "we'll ", "we will ", "decided", "instead of"),
    ),
    found=Cue(
        rf"""
        \broot\scause\b|\bturns?\sout\b|\bfound\s(?:that|the\s(?:issue|problem|bug|cause|reason))
      | \bthe\s(?:real\s|actual\s|true\s|core\s|underlying\s)?{_CAUSE}\s(?:is|was)\b
      | \bconfirmed\b|\b(?:fails?|breaks?|happens?)\sbecause\b
        """,
        (
            "root cause", "turn out", "turns out", "found that", "found the", "issue is", "issue was",
            "problem is", "problem was", "bug is", "bug was", "cause is", "cause was", "reason is",
            "reason was", "culprit", "confirmed", "because", "true cause", "true reason",
        ),
    ),
    not_it=Cue(
        rf"""
        \b(?:that|this|it)(?:['’]s|\sis|\swas)?(?:\s?n['’o]t|\snot)\s(?:actually\s|really\s)?
          (?:it\b(?!\s\w)|the\s(?:root\s|real\s|actual\s)?{_CAUSE}\b)
      | \bi\s(?:was\s(?:wrong|mistaken)|misread|misdiagnosed)\b|\bscratch\sthat\b
      | \bmy\s(?:earlier|previous|first|initial|original)\s(?:theory|assumption|diagnosis|guess|hypothesis
          |finding|conclusion|analysis)\s(?:was|is)\s(?:wrong|incorrect|not)\b|\b(?:red\sherring|false\slead)\b
        """,
        (
            "not it", "n't it", "not the", "n't the", "was wrong", "mistaken", "misread", "misdiagnosed",
            "scratch that", " is wrong", "incorrect", "was not", "red herring", "false lead",
        ),
    ),
    still=r"\bstill\b(?!\s(?:need|want|keep|use)\b) | \b(?:same|error|issue|problem|fail\w*|broke\w*|crash\w*|not)\b[^.!?]{0,40}\bagain\b",
    refutes=r"""
    \b(?:theory|analysis|diagnosis|assumption|explanation|conclusion|guess|that|this|it|you)
        (?:['’](?:s|re)|\s(?:is|was|are|were))\s(?:just\s|still\s|simply\s|completely\s|totally\s)?(?:wrong|incorrect|mistaken|not\s(?:it\b|right|correct|true|the\s(?:cause|problem|issue|reason)))
      | \b(?:that|this|it)\s?(?:isn|wasn)['’]?t\s(?:it\b|right|correct|true|the\s(?:cause|problem|issue|reason))
    """,
    real_cause=Cue(rf"\bthe\s(?:real|actual|true)\s(?:root\s)?{_CAUSE}\b"),
    root_cause=rf"\broot\scause\b|\b(?:real|actual|true|underlying)\s{_CAUSE}\b|\bculprit\b",
    reason=r"\b(?:because|since|due\sto|when|only|not|never|\w+n['’]t)\b",
    supposes=r"""
    \b(?:likely|probably|perhaps|maybe|might|may\sbe|could\sbe|seems?|appears?\sto|suspect|i\sthink|i\sguess|presumably)\b
    """,
    points_back=r"^(?:this|that|these|those|it|so|which|and)\b",
    gave_up=Cue(
        r"""
        \b(?:(?:that|this|it|which|approach)\s(?:did\s?n[o']t|does\s?n[o']t)\s(?:work|help|fix)
          |that\sfailed|dead\send|i(?:'ve|\shave)?\s(?:reverted|rolled\sback|backed\sout)
          |reverting\s(?:my|that|this)|rolled\s(?:it\s|that\s|this\s)?back
          |(?:let\sme|i'll|i\swill|i\sneed\sto|let's)(?:\s(?:now|also|first|just))*\s(?:revert|undo|roll\sback|back\sout)
          |abandon(?:ed|ing)\s(?:this|that|the))\b
        """,
        (
            "n't work", "not work", "n't help", "not help", "n't fix", "not fix", "that failed",
            "dead end", "revert", "undo", "roll back", "rolled", "back out", "backed out", "abandon",
        ),
    ),
    # "Revert that and …" has no name.
    gave_up_named=r"""
    ^(?:revert|undo|roll\sback|back\sout)(?:\sof)?\s(?!(?:that|this|it|to|all|everything)\b)
    """,
    why=r"\b(?:because|since|as\sit|n't|not|fail\w*|broke|breaks)\b",
    undoes=r"\b(?:undo|revert|roll\s+(?:\w+\s+)?back|put\s+(?:it|that|this|them)\s+back|restore|(?:go|change|switch)\s+(?:\w+\s+)?back\s+to)\b",
    all_green=r"""
    \btests?\b[^.;]*\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\b(?:all|everything(?:\s+is)?)\s+green\b
  | \bgreen\s+tests\b
    """,
    committed=r"(?<!un)\bcommitted\b|\bcommits?\s+(?:made|created|done|pushed)\b|\bpushed\s+the\s+commit",
    changed=r"\b(?:changed|edited|updated|modified|rewrote|refactored|created|wrote|deleted|renamed|fixed)\b",
    denies=r"""
    \b(?:not|never|no|without|isn't|aren't|don't|doesn't|didn't|won't|yet|until|unless|if|once|should|must|will|to\s+be
      |make)\b
    """,
    heads_open=r"""
    ^[\s-]*(?:\w+\s){0,2}(?:issues?|problems?|bugs?|remaining|left|open|questions?|concerns?|caveats?|warnings?|blockers?
      |not\s(?:done|yet|fixed)|to-?dos?|next(?:\s(?:steps?|up|actions?))?|limitations?)\b[^.]{0,40}[:：]
    """,
    heads_well=r"""
    ^[\s-]*(?:all\s(?:\w+\s)*(?:tests?|checks|lint\w*|green|pass\w*)\b.{0,60}$
      |(?:great|good|nice|excellent|perfect|solid|well[ -](?:done|written|structured))\b
      |(?:strengths?|positives?|what'?s\sgood)\b.*[:：])
    """,
)  # fmt: skip
_LEADS_TO_HAND = r"^[^\w\"'“”‘’«»`]*(?:(?:now|then|next|finally|first|also|but|so|note|important|heads\sup|reminder)[,:]?\s(?:that\s)?)*"
_BY_HAND = r"""
    \b(?:manually|by\shand|yourself)\b|\bsudo\s
  | \bin\s(?:the|your)\s(?:[\w-]+\s){0,3}(?:dashboard|console|settings|(?:admin|control)\spanel|web\s(?:ui|interface))\b
"""
_BY_USER = r"""
    ^[^\w"'“‘«»`]*(?!.*\bif\s(?:you|needed|necessary|desired)\b)
    (?:you(?:['’]ll|\swill)?(?:\s(?:now|still|just|then|also))*\s(?:need\sto|have\sto|must|should)|(?:now|then|next|please|just|finally|after\sthat|also|so)[,:]?(?:\s(?:just|please|simply))?|(?=.*\b(?:your?|tell\sme|then|again)\b))\s?
    (?:re-?)?(?:run|execute|build|start|restart|boot|load|refresh|press|hit|paste|copy|open|install|source|log\s(?:out|in)|sign\sin|deploy|hard[-\s](?:refresh|reload))\b
    """
NEXT_STEPS = NextSteps(
    by_user=_BY_USER,
    says=rf"""
    ^(?:next,|next(?:\s(?:action|up))?:|next\sstep|the\snext\sstep|still\s(?:need|needs|to\sdo)|todo:|(?:the\s)?remaining(?:\s{_STEPS})?:)
  | \b(?:still\sneeds?\s(?:to|work|fixing|testing|updating|doing)|remains\sto\sbe|left\sto\sdo
      |not\syet\s(?:done|implemented|tested|committed))\b
    """,
    # A heading says so where it begins or where it ends; "I fixed the follow-up, see:" does not.
    heading=rf"""
    ^\W*(?:(?:the|my|your|some|possible|suggested|recommended|open|only|other)\s)*{_HEADS}\b
  | \b{_HEADS}(?:\s(?:are|is|would\sbe|include|for\s(?:you|later|now)))?\W*$
    """,
    left_alone=r"""
    \b(?:fine|ok(?:ay)?|correct|appropriate|intentional(?:ly)?|as[-\s]is|unrelated|unchanged|expected
      |nothing|none|no\saction|not\sneeded)\b|\((?:all\s)?(?:done|completed?|fixed|resolved)\)
    """,
    wanted=r"\b(?:needs?|should|must|have\sto|has\sto|still|remaining|remains?|not\syet|todo|i'll|will\sneed)\b",
    unsure=r"\b(?:let\sme|i'll)\b|\b(?:if|whether)\b.*\b(?:still|not\syet|remains|left)\b",
    # Said to the reader and to be done by hand; not what one may do, or must if one wants something.
    by_hand=rf"""
    {_LEADS_TO_HAND}(?!.*\bif\s(?:you|needed|necessary|desired)\b)
    (?:
      (?:you(?:['’]ll|\swill)?(?:\sstill)?\s(?:need\sto|have\sto|must)|please)\s
      (?!(?:let|note|see|tell|confirm|share|provide|be)\b)(?=.*(?:{_BY_HAND}))
    | (?=(?:open|go\sto|navigate\sto)\s.*\b(?:settings|dashboard|console|admin\spanel)\b.*\b(?:and|then)\s
      (?:choose|select|enable|disable|add|set|create|copy|turn\so(?:n|ff)|switch|paste|allow|grant)\b)
    )
    """,
)
