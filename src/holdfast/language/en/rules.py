"""How a rule is laid down and taken back in English."""

from holdfast.language.language import Retractions, Rules

# Where an imperative can begin: not after a subject, as in "I don't know".
_CLAUSE = r"""(?:^["'(]?|[,;:(–—]\s*|\s-\s|\b(?:please|but|and|so|then|also|just|let'?s|yes|ok)\s+)"""
# A narrower place for verbs that also tell of someone else: "and avoid the issue".
_BEGINNING = (
    r"""(?:^["'(]?|[:(–—]\s*|\s-\s|\b(?:please|but|also|just|let'?s|fine,)\s+)"""
)
_NOT_DESCRIBED = (
    r"(?!\s+(?:know|think|see|understand|recall|remember|have|get|mean|you|we|they|mind"
    r"|believe|expect|seem|need\s+it|work)\b)"
)
_NEW_THINGS = (
    r"(?:dep(?:endenc(?:y|ies)|s)|packages?|librar(?:y|ies)|modules?|crates?|gems?|plugins?|files?"
    r"|tables?|columns?|endpoints?|abstractions?)"
)
_TONGUES = (
    r"(?:English|German|French|Spanish|Japanese|Chinese|Korean|Thai|Vietnamese|Portuguese|Italian"
    r"|Russian|Dutch)"
)
_START = r"(?:^|[,;:–—]\s*|\b(?:please|and|but|so|also|ok)\s+)"
# A thing that is pointed at ("use the other file") is a plain request.
_POINTED = r"(?!(?:the|this|that|these|those|it|my|your|an?|one|both|all|me|them)\b)"
_HAS_DONE = (
    r"(?:been|come|done|forgotten|gone|got|had|left|lost|made|put|seen|sent|slipped)"
)

RULES = Rules(
    cues=rf"""
    {_CLAUSE}(?:pl(?:ea)?se?\s+)?(?:
        always | never | (?:do\s?n[o']t | do\s+not | dont){_NOT_DESCRIBED}
      | make\s+sure | be\s+sure | stop\s+\w+ing
      | only\s+(?:use|do|change|touch|add|edit|run|show|allow|write|fix|commit|test|keep|look|read)
      | (?:use|change|touch|edit|run)\s+(?:only|nothing)
      | remember\s+(?:to|that)
    )\b
  | {_BEGINNING}(?:avoid | prefer | ensure | only\s+(?:in|for) | keep\s+(?:it|the|every|each|all|in\s+mind|using|this|that))\b
  | (?<!\bto\s)(?<!\bcan\s)(?<!\bwe\s)(?<!\bI\s)(?<!\bwould\s)\bmake\s+sure\b
  | \bplease\s+(?:use|keep|stick|follow|no)\b
  | \b(?:must(?:n'?t)? | should(?:n'?t|\s+(?:not|never|always|only)) | shall\s+not
      | you\s+(?:should|need\s+to|have\s+to) | needs?\s+to\s+(?:be|stay) | not\s+allowed
      | no\s+need\s+to | I\s+(?:do\s?n'?t|do\s+not|never)\s+want
      | I(?:'d|\s+would)?\s+(?:prefere?|rather) | from\s+now\s+on | every\s+time\s+you
      | whenever\s+you | at\s+all\s+times | under\s+no\s+circumstances
      | no\s+matter\s+what | on\s+purpose | most\s+important
      | (?:top|first|highest)\s+priority | prioriti[sz]e | above\s+all )\b
  | ^(?:no|nope|wrong|not\s+quite|wait|again|stop)(?:[,:!.]|\s+(?=I\b|we\b|it\b|this|that|you\b
        |wait|remove|revert|keep|use|don|just|not\b)).{{15,}}
  | \b(?:is|was|are|were|that'?s|it'?s)\s+(?:still\s+)?(?:not\s+(?:correct|right|what)|wrong)\b
        (?!\s+(?:when|whenever|if|after|once)\b)  # that reports a fault
  | \bI\s+meant\b | \bI\s+mean\s+not\b | \byou\s+(?:forgot|misunderstood|missed)\b
  | ^(?:actually|sorry|correction)[,:]?\s+(?:please\s+)?(?:use|keep|make|put|leave|let'?s|call|name
      |rename|remove|drop|only|it\s+should|we\s+want|I\s+want|don'?t|do\s+not|never|always)\b
    """,
    shapes=rf"""
    ^(?:please\s+)?(?:if|when)\s+(?:i|you)(?:['’](?:re|m|ve))?\s+(?!(?:are\s+)?(?:want|need|like|can|could|look|check|see|run|open|click|press|done|finish\w*|ready|start\w*|go)\b)[^,;]{{3,60}},\s*
        (?:then\s+|please\s+|just\s+|always\s+)*(?:let\s+me\s+know|tell\s+me|ask|stop|remind\s+me|warn\s+me|point|correct\s+me|say\s+so|wait|use|call\s+me)\b
  | \b(?:every|each)\s+time\s+(?:i|you|we)\b[^,;]{{3,60}},\s*(?:please\s+)?(?!(?:it|the|this|that|they|i|we|he|she|there|you|my|nothing|an?)\b)\w
  | {_START}(?:we\s+)?use\s+{_POINTED}[^,;]{{1,40}}?(?:,?\s+(?:and\s+)?not|\s+instead\s+of|\s+rather\s+than)\s+{_POINTED}
  | \bgo(?:es)?\s+(?:in|into|under)\s+[^\s,]{{1,40}}/,?\s+not\b
  | {_START}no\s+(?:new|more|extra|additional)\s+{_NEW_THINGS}\b
  | {_START}no\s+(?:emojis?|semicolons?|default\s+exports?|force[-\s]push\w*|magic\s+numbers|inline\s+styles)\b
  | {_START}(?:quit\s+\w+ing | hands\s+off | only\s+ever )\b
  | {_START}leave\s+(?!(?:me|us|him|her)\b)[^,;]{{1,40}}?\s+(?:alone|untouched)\b
  | ^(?!(?:it|he|she|they|we|this|that|these|those|is|was|one|two|happens|fails|not|i|if|and)\b)(?:(?:on|in|for)\s+)?
        [a-z][\w./-]*(?:\s+[a-z][\w./-]*)?\s+only[.!]*$
  | (?:{_START}|\b(?:write|keep|put|all)\s+)(?:your\s+|our\s+|the\s+|all\s+)?
        (?:commits?|comments?|docs|docstrings|documentation|answers|replies|names|everything|(?:commit|error)\s+messages)
        \s+(?:(?:must|should)\s+be\s+|always\s+|only\s+|stay\s+)?in\s+{_TONGUES}\b(?!\s+(?:is|are|was|were|do|does|don|did|look|show|seem|class))
  | {_START}(?:answer|reply|respond|talk|speak)\s+(?:to\s+me\s+|me\s+|always\s+|only\s+)?in\s+{_TONGUES}\b
  | {_START}in\s+(?:the\s+)?future,?\s+(?!(?:we|it|I|they|this|that|there|users?|maybe|could|someone|versions?|releases?)\b)\w
  | \bfrom\s+(?:here|today)\s+on\b
  | \b(?:is|are)\s+more\s+important\s+than\b | \bmatters?\s+more\s+than\b
  | ^first\s+(?:write|fix|run|ask|finish|make|check|read|update|test|the)\b[^;]*\bthen\s+(?!(?:show|tell|give|send|it|I|we)\b)
    """,
    nods="ok",
    likeness=rf"""
    # "No" before what somebody found, thinks or did corrects nobody.
    ^(?:no|nope|wait|again|stop)[,.!:]?\s+(?:
        (?:I\s+(?:think|guess|believe|feel|suppose|assume)\s+)?
        (?:(?:this|that|it|these|those|they|everything|all)(?:\s+one)?)
        (?:['’]s|['’]re|\s+(?:is|are|was|were|looks?|seems?|still|already|just))*\s+
        (?:fine|ok(?:ay)?|good|great|perfect|enough|better|the\s+same|broken|works?|worked|fails?|failed
          |happens?|happened|crash\w*|hangs?|there|gone|done|too)\b
      | (?:it|that|this)\s+was\s+(?:just\s+|only\s+)?(?:the|an?|my|me|because)\b(?![^;.]*\bnot\b)
      | I\s+need\s+to\s+(?:think|check|look|go|read|see)\b
      | I(?:['’]m|\s+am)\s+not\s+sure\b
      | I\s+(?:have\s?n['’o]t|have\s+not|did\s?n['’]t|did\s+not|can(?:['’]t|not)|could\s?n['’]t|don['’]?t\s+(?:know|think|see|remember)
          |already|just|did|tried|checked|was)\b
    )
  | ^(?:ah+|oh|i\s+see)[,\s]+so\b[^.;]*\bwrong\b
  | \b(?:is|are|was|were)\s+(?:wrong|not\s+(?:right|correct))\s+then\b
    # A guess.
  | \bI\s+must\s+(?:say|admit|confess)\b
  | \bmust\s+(?:have\s+(?:(?!need|feed|seed)\w+ed|{_HAS_DONE})\b
      | be\s+(?:a\s+(?:bug|reason|way|problem|mistake|typo|race|misunderstanding)|something|some(?:one|body|where|how)
          |because|due|why|how|what)\b)
  | (?:^|\b(?:this|that|it|which|there)\s+)should(?:n['’]?t|\s+(?:not|never))\s+(?:really\s+|even\s+)?(?:
        be\s+(?:an?\s+|any\s+|too\s+|that\s+|much\s+)?
            (?:problem|issue|hard|difficult|big|much|bad|long|slow|trouble|necessary|needed)
      | matter | take | hurt | happen | occur | differ | make\s+a\s+difference | have\s+(?:been|happened|changed)
    )\b
  | \byou\s+should\s+(?:(?:now|already|then)\s+)*(?:see|be\s+able|get|find|notice
      |have\s+(?:access|everything|all|the|an?|it|enough|now|permissions?|got|received))\b
    # A report.
  | \b(?:always|never)\s+(?!(?:this|its|thus|yes|need|feed|embed|seed|exceed|proceed|speed|shed)\b)
        (?:\w+[^su\W]s|\w{{2,}}ed|is|was|were|are|has|had|got|saw|came|went|ran|made|gave|took)\b
  | ^(?:they|these|those|some|most|many|both|the\s+\w+s)\s+(?!are\b|were\b|look|should|must|can\b)[^,;:.!?]*
        \b(?:and|but|so)\s+(?:don['’]?t|do\s+not)\b
  | \b(?:docs?|documentation|notes|manual|readme|page|error|message|logs?|output|linter|compiler|CI|it)
        \s+(?:still\s+)?(?:says?|said|claims?|states?|suggests?|recommends?|complains?)\s[^,;]*
  | \bif\s+you\s+(?:need|have)\s+to\s+(?:see|know|look|check|read|find)\b
  | \blet\s+me\s+know\s+if\s+you\s+(?:need|have)\s+to\b
  | \byou\s+(?:forgot|missed)\s+nothing\b
    # What the user will lay down is not laid down yet.
  | \b(?:I(?:['’]ll|['’]m\s+going\s+to|\s+will|\s+am\s+going\s+to|\s+want\s+to)|let['’]?s|we(?:['’]ll|\s+will))\s+(?:now\s+|also\s+)?(?:make|write|set|give|add|define|create|establish)
        \s+(?:\S+\s+){{0,6}}?rules?\b[^.;]*
    # Behind its subject, what something does not do.
  | \w\s*,\s*(?:do\s?n['o]t|do\s+not)\s+(?:display|show|appear|load|render|respond|start|open|update)\b(?=[^.;]*\b(?:is|are|was|were)\b)[^.;]*
    # That something is wrong, and nothing beside it.
  | ^(?:(?:ok(?:ay)?|no|hm+|well|but|so|sorry)[,.]?\s+)*(?:this|that|it|these|those)(?:['’]s|\s+(?:is|was|are|were))\s+(?:still\s+|just\s+)?
        (?:wrong|not\s+(?:right|correct|what\s+[^,;:–—]{{1,60}}))[\s.!]*$
    # The label of a field.
  | ^must\s+(?:start|begin|end|be\s+between|contain)\b(?!.*\b(?:you|we|i)\b)[^.;]*
    # A comfort.
  | (?:\bdo(?:n['’]?t|\s+not)|\bno\s+need\s+to)\s+(?:worry|bother|panic|hurry|rush|apologi[sz]e|be\s+sorry)
        (?:\s+about\s+(?:it|that|this))?(?=\s*(?:[,.!;)–—-]|$))
  | \bnever\s?mind\b(?=\s*(?:[,.!;)–—-]|$|it\b|that\b|this\b))
  | \bkeep\s+it\s+up\b(?!\s+to\b)
    # "Don't fix anything, just look" says how far the request goes, not how to work.
  | \bdo(?:n['’]?t|\s+not)\s+\w+\s+(?:anything|it|this|that|them|any\s+\w+)\b[^.;]{{0,20}}?[,\s–—-]+(?:but\s+)?just\s+\w+
    """,
    reported=r"""
    ^(?:failed\s+to|unable\s+to|could\s+not|(?:\w+\s+)?(?:error|exception|warning)(?:\s+\w+)?:)
  |     (?<!\bi\s)(?<!\bwe\s)\b(?:says?|said|reads?|states?|prints?|printed|shows?|warns?|complains?)
        (?:\s+that)?\s*:
    """,
    begins=r"""
    ^(?:never|always|do(?:n'?t|\snot)|stop|only|from\snow\son|no\sneed|make\ssure|remember|avoid|prefer|wait|no|wrong
      |actually|sorry)\b
    """,
    marks=r"\b(?:always|never|please)\b",
    lasts=r"""
    \b(?:always|never|ever|every\stime|each\stime|whenever|from\snow\son|going\sforward|in\s(?:the\s)?future
      |in\sgeneral|without\sasking)\b
    """,
    passing=r"""
    \b(?:must | should | need(?:s)?\s+to | ha(?:ve|s)\s+to )\b(?!n'?t|\s+(?:not|never|always|only)\b)
  | \bI(?:'d|\s+would)?\s+(?:prefere?|rather)\s+(?=(?:the|this|that|it|if|you|to)\b) | \b(?:make|be)\s+sure\b(?!\s+(?:not|never|no|you\s+(?:always|never|don))\b)
  | \bplease\s+(?:use|keep|stick|follow)\s+(?=(?:the|this|that|it|my|your)\b) | \bno\s+need\s+to\b | \bremember\s+(?:to\s+add(?:ed)?|that)\b | \bensure\b
  | ^(?:no|nope|wrong|not\s+quite|wait|again|stop)(?:[,:!.]|\s+(?=(?:I|we|it|this|that|you|wait|remove|revert|keep|use|just|not)\b))
  | \b(?:is|was|are|were|that'?s|it'?s)\s+(?:still\s+)?(?:not\s+(?:correct|right|what)|wrong)\b
  | \bI\s+mean(?:t|\s+not)\b | \byou\s+(?:forgot|misunderstood|missed)\b | ^(?:actually|sorry|correction)[,:]?\s
  | \b(?:most\s+important|(?:top|first|highest)\s+priority|prioriti[sz]e|above\s+all)\b | ^first\s
  | \bkeep\s+(?:it|the|this|that)\b | \b(?:do\s?n[o']t|do\s+not)\s+\w+\s+(?:it|this|that|them)\b
  | \bonly\s+(?:fix|test|show|look|read)\b
    """,
    general=r"""
    \b(?:every|each|any(?:thing)?|all|everything|whenever|before\s+(?:you|any|each|I)|when(?:ever)?\s+you|if\s+you|until\s+(?:I|you)
      |without\s+asking|per|both|everywhere)\b
    """,
    forbids=r"\b(?:not?|never|without|avoid)\b|n't\b",
    repeats=r"""
    \b(?:you|claude)(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:did|done|made|broke|broken|forgot|forgotten|ignored)\b[^.!?\n]{0,40}\bagain\b
      | \byou(?:['’]re|\s+are)\s+(?:doing|making|breaking|ignoring)\b[^.!?\n]{0,40}\bagain\b
      | \bi(?:['’]ve|\s+have)?\s+(?:already\s+)?(?:told|asked|said|explained)\b[^.!?\n]{0,40}\b(?:already|before|twice|\w+\s+times)\b
      | \bi(?:['’]ve|\s+have)?\s+already\s+(?:told|asked|said|explained)\b
      | \bhow\s+(?:many\s+times|often)\s+(?:do|did|have|must)\s+i\b | \byou\s+(?:keep|kept)\s+(?:doing|making|forgetting|ignoring|breaking|using|adding)\b
      | \b(?:the\s+)?same\s+mistake\s+(?:again|as)\b
    """,
    corrects=r"""
    ^(?:no[,.!\s]|nope|wrong|stop\b|don'?t\b|do\snot\b|that'?s\s(?:not|wrong)|you\s(?:should(?:n'?t)?
      |were\ssupposed|forgot|didn'?t|did\snot|keep|still|again)|i\s(?:said|told|asked|already)
      |why\s(?:did|are|do)\syou|never\b|again[,:])
    """,
)
RETRACTIONS = Retractions(
    forget_that=r"""
    (?:forget|scratch|ignore|disregard|cancel)\s+(?:that|it|this|what\s+i\s+(?:just\s+)?said
      |my\s+last\s+(?:message|instruction|request)|about\s+(?:it|that))
  | never\s?mind(?:\s+(?:that|it|this))?
  | (?:that|this)\s+rule\s+(?:no\s+longer\s+applies|is\s+(?:gone|off|void))
    """,
    before_that="actually|wait|sorry|please",
    rule_nouns=r"\b(?:rules?|said|told|instructions?|requirement|about)\b",
    forget=r"""
    ^(?:\W*\b(?:ok|okay|please|actually|now|and|so|then|just|lets|let's|you\scan|we\scan|yes|no(?=,))\b){0,3}
    \W*\b(forget|ignore|disregard|drop|skip|cancel|scrap|abandon|never\s?mind)\b
    """,
    lapsed=r"""
    (\bno\slonger\s(?:appl(?:y|ies)|holds?|counts?|valid|needed|necessary|required)\b
      |\bno\sneed\s(?:to|for)\b|\bnot\sneeded\b)
    """,
    no_more=r"\bno\slonger\b|\bany\s?more\b",
    allows=r"""
    ^(?:(?:actually|ok|okay|fine|alright|now)[,\s]+)?(?:you\s+(?:can|may)
      | it'?s\s+(?:ok|okay|fine|allowed)\s+to | feel\s+free\s+to)\b
  | \b(?:is|are)\s+(?:fine|ok|okay|allowed|welcome)\s+(?:again|now|after\s+all)\b
    """,
    only_takes_back=r"^\W*(?:forget|disregard)|no\s+longer\s+appl",
    filler=(
        "forget", "ignore", "disregard", "drop", "skip", "cancel", "scrap", "said", "told",
        "rule", "rules", "instruction", "instructions", "requirement", "earlier", "before",
        "actually", "okay", "now", "longer", "need", "again",
    ),
)  # fmt: skip
