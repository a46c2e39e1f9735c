"""How an agent talks along the way in English, how people ask, and how they answer."""

from holdfast.language.language import Questions, Requests, Talk

TALK = Talk(
    announces=r"""
    ^(?:let\sme|now\s(?:let|i|add|update|fix|run|create|write|check|for|remove|rename|replace|resolve|rewrite|move
        |implement|build|verify|test|commit|push|read|(?!(?:every|any|no|some)thing)\w+ing)\b
      |(?!(?:every|any|no|some)thing)\w+ing\s(?:[^.,;:]|\.(?=\w)){0,80}\snow(?:\W*$|\s[—–])|i\s(?:need\sto|should|can\ssee)|i'll\b|i\swill\b
      |first,?\slet|next,?\si|let's\s(?:check|look|see|start|run)|no\sresponse\srequested)
    """,
    leads_on=r"\b(?:let\sme|i'll|i\swill|now|next)\b[^.]*[:：]$",
    filler=r"""
    ^(?:(?:done|perfect|great|excellent|good|ok(?:ay)?|yes|sure|all\s(?:done|set)|got\sit
      |you'?re\s(?:absolutely\s)?right|absolutely|understood|fixed|nice)[.!,:]*\s*)+$
    """,
    # "Good question.", "You're right,", "Perfect!"
    opening=r"""
    ^(?:(?:good|great|perfect|excellent|nice|ok(?:ay)?|right|sure|done|alright|wait|hmm+|interesting
      |(?:good|great|fair|excellent)\s(?:question|point|catch|call|idea|news)|you'?re\s(?:absolutely\s|quite\s)?right
      |got\sit|understood|absolutely)\s*[,.!:—–-]+\s+)+(?=\S)
    """,
    offers=r"^(?:would\syou\slike|should\si|shall\si|do\syou\swant|want\sme|let\sme\sknow|feel\sfree)\b",
    empty_heading=r"""
    ^(?:(?:final\s|quick\s)?summary(?:\sof\s(?:the\s)?changes)?|changes(?:\smade)?|key\s(?:changes|findings)
      |what\s(?:was|i)\s(?:did|changed|done)|overview|details|results?|here'?s.*:)\W*$
    """,
    any_work=r"""
    ^(?:all\s(?:\w+\s)*(?:tests?|checks|lint\w*|clean|green|pass\w*|work|set|done)\b.{0,60}$
      |(?:the\s)?(?:tests?|build|lint\w*|linter|everything|it)(?:\sand\s(?:the\s)?\w+)?\s(?:all\s|now\s)*
         (?:pass\w*|succeeds?|succeeded|is\sclean|are\sclean|works?)\W*$
      |i\s(?:now\s)?have\s(?:all|a\s(?:good|clear|complete|full)|enough)\b|this\sis\s(?:a\s)?(?:great|good|excellent|interesting)\b
      |the\stests?\s(?:fails?|pass(?:es)?)\sas\sexpected\b
      |(?:good|great|perfect|excellent|nice)\b[^,.;:]{0,30}[.!]$)
    """,
    closes_any_work=r"""
    ^(?:all\s(?:\w+\s)*(?:tests?|checks|lint\w*|clean|green|pass\w*|work|set|done)\b.{0,40}$
      |committed\b|pushed\b|everything\b|(?:final\s)?summary\b|changes(?:\smade)?$|key\sfindings
      |the\s(?:changes|refactoring|work|implementation)\s(?:is|are)\s(?:now\s)?(?:complete|done)
      |here(?:'s|\sis|\sare)|(?:it|this|that|these|they|which|found|look)\b|good\s|great\s|yes\b|no\b|option\s\d|step\s\d
      |task\s\d|now\b.{0,20}$|✅|`)
    """,
    next_step=r"""
    ^(?:(?:now|next|first|then|also|finally)[,:]?\s(?:task|step|phase|let|i|we|the\s\w+\stest|add|build|check|commit|create|fix
         |implement|look|move|push|register|remove|rename|replace|revert|run|see|test|update|verify|write)\b.{0,120}$
      |(?:re-?run|run|verify|check|build|commit|push|test)\s(?:the|all|it|that|and|again)\b.{0,80}$
      |(?:task|step|phase|batch)\s\d+\b.{0,100}$|i\s(?:can\s)?see\b.{0,60}$)
    """,
    holds_up=r"""
    \b(?:can(?:no|')t|cannot|\w+n't|not|never|no|none|without|unless|only|but|because|so|which|fail\w*|br(?:oke\w*|eaks?)
      |revert\w*|los[eti]\w*|dead\w*|block\w*|bug\w*|error\w*|wrong|miss\w*|leak\w*|crash\w*|hang\w*|slow\w*|race\w*|need\w*
      |must)\b
    """,
    did=r"""
    \b(?:add(?:ed|s)|updat(?:ed|es)|remov(?:ed|es)|delet(?:ed|es)|fix(?:ed|es)?|implement(?:ed|s)
      |refactored|resolv(?:ed|es)|creat(?:ed|es)|mov(?:ed|es)|renam(?:ed|es)|replac(?:ed|es)|complete
      |completed|ready|works?|passes|now|handles?|supports?|shows?|detects?|uses?|keeps?|keep)\b
    """,
    did_listed=r"""
    (?:Add|Chang|Convert|Creat|Delet|Extract|Fix|Implement|Introduc|Mov|Refactor|Remov|Renam
      |Replac|Resolv|Updat|Verifi)ed\b|Wrote\b
    """,
    qualifies=r"^(?:however|but|yet|still|although|though|instead|otherwise|therefore|thus|hence|that\ssaid)\b",
    points=r"""
    ^(?:so|and|but|then|also|now|yes|no|ok|well|clearly|actually)?,?\s?(?:(?:it|this|that|these|those|they|you|both|neither)\b
      |(?:there|here)(?:'s|\sis|\sare|\swas|\swere)\b|(?:we|you)(?:'re|\sare)\b
      |(?:the|one|another|an?)\s(?:\w+\s){0,2}(?:issues?|problems?|fix(?:es)?|changes?|approach|solution|bugs?|implementation
         |code|updates?|reference|remaining)\b)
    """,
    goes_on=r"\b(?:let\sme|let's)\b",
    numbers=r"\b(?:two|three|four|five|six|seven|eight|nine|ten)\b",
    reasoned=r"""
    \b(?:because|since|so|only|never|not|\w+n't|cannot|but|which|without|unless|until|when|whenever|instead|rather|longer
      |must)\b
    """,
    trouble=r"""
    \b(?:fail\w*|errors?|br(?:oke\w*|eaks?)|conflict\w*|bugs?|wrong|crash\w*|hangs?|flaky|stale|race|leaks?|deadlock\w*
      |regress\w*|mismatch\w*|pre-existing|actual\w*|un(?:used|defined|related|expected)|revert\w*|missing|can(?:no|')t
      |\w+n't)\b
    """,
    about_to=r"""
    ^(?:now,?\s|first,?\s|next,?\s|then,?\s)?(?:let\sme|i'll|i\swill|i\sneed\sto|let's)(?:\s(?:now|also|first|just))*\s
    """,
    verdict=r"""
    (?:(?:overall|final|my|key|main|short)\s+)*(?:verdict|conclusion|recommendation|outcome
      |results?|bottom\sline|root\scause|answer|assessment)\b[^:：]{0,30}(?:[:：]\s*(.*)|$)
    """,
    sets_out=r"""
    (?:i(?:'ve|\shave)?\s(?:now\s|also\s|successfully\s|thoroughly\s|fully\s)*(?:have|explored|completed
         |gathered|located|searched|analy[sz]ed|reviewed|read|examined|investigated|understand)
      |here(?:'s|\sis|\sare)|based\son|below|the\sfollowing|this\s(?:report|document|review|plan|summary))\b
    """,
)
QUESTIONS = Questions(
    tells_later=r"(?:i(?:['’]ll|\s(?:will|want\sto|can))|let\sme|tell|give)\s(?:(?:tell|give|type|enter|provide|paste|specify|send|share)\b(?:\s(?:you|it|me))?|(?:me|you)\b)[^,;.]{0,30}$",
    only_plans=r"\b(?:no\s(?:need\sto\s)?(?:cod(?:e|ing)|implement\w*)\syet|(?:just|only)\s(?:a\s)?plan(?:ning)?\b|plan(?:ning)?\s(?:(?:stage|phase)\s)?only|(?:don['’]?t|do\snot)\s(?:code|implement|write|build)\s(?:\w+\s)?yet)\b",
    tell_me=r"^(?:(?:please|just|so)\s)*(?:tell\sme|let\sme\sknow|say)\s(?:which|whether|what|how)\b",
    courtesy=r"""
    \b(?:anything|something|what)\s(?:else|more)\b | \b(?:other|more|any)\squestions\b
  | \b(?:how|what)\s(?:can|may|else)\s(?:can\s)?i\s(?:help|assist|do\sfor\syou)\b
  | \bwhat(?:'s|\sis|\s(?:should|shall)\s(?:i|we)\s(?:do|work\son|tackle))\snext\b
  | ^what\swould\syou\slike\s(?:me\s)?to\s(?:(?:do|work\son|tackle|focus\son|explore|build)\b[\s/,or]*)+(?:\snext|\snow)?\?
  | ^is\sthere\s(?:any|some)thing\b.{0,20}\b(?:like|want|need)\b
    """,
    asked=r"""
    ^(?:(?:and|so|ok|now|or|but|also|then|well|hm+|wait|yes|yeah),?\s+)*(?:
          (?:can|could|would|should|shall|does|did|is|are|why|what|how|where|which|who)
            \s+(?:you|we|i|it|this|that|there|they|the)
        | do\s+(?:you|we|i|they|these|those))\b
  | ^how\s+(?:much|many|long|often|far|big)\b
  | ^should\s+(?:we|i|it|this|the)\b
    """,
    heading=r"(?:open\s|my\s|one\s|two\s|a\sfew\s)?questions?\b",
    which=r"\b(?:which|prefer\w*|options?|approach|or|choose|pick)\b",
    option="option|choice|variant|approach",
    yes=r"yes|yeah|yep|yup|ye|ya|ok(?:ay)?|k|sure|right|cool|fine|great|good|perfect|please",
    choosing=r"""
    i(?:'d|\swould)?(?:\slike)?\s(?:think|prefer|choose|pick|say|go\s(?:with|for)|to\s(?:do|go\swith|use))|i\swant
      |let'?s\s(?:do|go\s(?:with|for)|try|use|take|tackle|start\swith|pick|implement|fix)|go\s(?:with|for|ahead\swith)|do|use
      |take|tackle|implement|fix|try|pick|just|both|the|number
    """,
    joins=r",\s*and|and",
    behind_label=r"please|then|it\sis|one",
    going_on="but|and|then",
    between=("or", "and", "vs", "vs."),
    refuses=r"""
    \b(?:not|no|none|neither|nor|never|\w+n't|dont|except|without|anything\sbut|instead\sof|rather\sthan)\b
    """,
    ordinals=r"""
    (?:\W*(?:the\s)?|.*\bthe\s)(?:(first)|(second)|(third)|(fourth))(?:\s(?:one|option|approach|choice)\b.*|\W*)$
    """,
    resume=r"(?:resume|continue|yes|yeah|y|ok|okay|load\sit)(?![a-z])",
    keep=r"(?:keep|no|later)(?![a-z])",
    discard=r"(?:discard|delete|throw\s(?:it\s)?away|drop\sit|remove\sit)(?![a-z])",
)
REQUESTS = Requests(
    polite=r"""
    ^(?:(?:ok|okay|yes|yeah|no|so|and|but|now|hi|hey|hello|please|also|then|great|cool|well
         |quick\sthing|one\smore\sthing|next|again)[,.!:]*\s+)*
    (?:(?:can|could|would|will)\s+(?:you|we|i)\s+(?:please\s+|also\s+|now\s+|maybe\s+)*
      |i(?:'d|\swould)\s+like\s+(?:you\s+)?to\s+|i\s+want\s+(?:you\s+)?to\s+|let'?s\s+|let\s+us\s+
      |please\s+|we\s+(?:need|should|have)\s+(?:to\s+)?|i\s+think\s+(?:we\s+(?:need|should)\s+(?:to\s+)?)?)?
    """,
    asks_kindly=r"\b(?:can|could|would|will|may)\s+(?:you|we|i)\b",
    slips=r"""
    (?:\b(?:sorry|oops|my\s+bad)[,.!]?\s+)?\b(?:i\s+)?(?:did\s?n['’]?t|did\s+not)\s+mean\s+to\s+(?:interrupt|stop|cancel|press|hit|do)\b(?:\s+(?:you|it|that|this|esc(?:ape)?))*
  | \b(?:i\s+)?(?:accidentally\s+(?:interrupted|stopped|cancel+ed|pressed|hit)|(?:interrupted|stopped|cancel+ed|pressed|hit)\b[^.,;!]{0,20}\b(?:by\s+(?:mistake|accident)|accidentally))(?:\s+(?:you|it|that|esc(?:ape)?))*
    """,
    stops=r"""
    ^\W*(?:(?:no|please|just|ok(?:ay)?|now)[,\s]+)*(?:kill|stop|halt|abort|cancel|quit)
        (?:\s+(?:it|that|this|them|all|everything|now|please|the\s(?:\w+\s){0,2}\w+))*\W*$
    """,
    redoes=r"""
    ^\W*(?:(?:ok(?:ay)?|please|no|now|so|and|yes)[,.\s]+)*
        (?:(?:try|retry|run|do|check|test)\s(?:it\s|that\s|this\s)?(?:again|once\smore)|again|once\smore|one\smore\stime)\b
    """,
    greets=r"""
    ^(?:hi|hiya|hello|hey|yo|howdy|greetings|good\s+(?:morning|afternoon|evening|day))
            (?:[\s,!.~]+(?:hi|hello|hey|there|again|all|everyone|team|claude|buddy|how\s+are\s+you(?:\s+(?:today|doing))?))*[\s,!.?~:)]*$
    """,
    opines=r"""
    ^(?:(?:ok|okay|well|hm+)[,.]?\s+)?i\s(?:think|find|like|feel|don't\s(?:mind|care))\b(?!.*\bshould\b)
    """,
    bare=r"""
    ^(?:take\sa\slook(?:\sat)?|do\sit|do\sthis|fix\s(?:it|this|that|them)|continue|go\son|go\sahead
      |(?:draft|open|create)(?:\sa)?\spr(?:\splease)?|(?:commit|push|merge|rebase)(?:\s(?:this|it|and\spush|the\schanges.*))?
      |implement\s[\d, and]+|try\s\d\W*|implement\sthe\sfollowing\splan:?|yes.*|no|(?:i\s)?(?:also\s)?got\sthis\sfeedback
      |any\ssuggestions\sfor|regarding)\W*\d*\W*$
    """,
    no_gist=r"""
    ^(?:i\s(?:get|got|see|also|can't|just|mean|don't|updated)|i'm\s(?:getting|seeing)|i've|hmm|weird|again
      |it'?s|that|this|there|so|no|yes|wait|things|regarding|unknown)
    """,
    told_opening=r"^(?:i(?:'ve|\shave)\s+(?:successfully\s+|now\s+|completely\s+)?|successfully\s+|now\s+)",
    settles=r"\b(?:let'?s|go(?:ing)?\swith|went\swith|decided|stick\swith|we(?:'ll|\swill)|i'd\s(?:go|use|keep))\b",
    nods="""
        y yes yep yeah yup ya ye yea ok okay okie okey k kk sure fine good great nice cool perfect excellent awesome
        amazing brilliant thanks thank thx ty cheers please pls plz continue continues continuing go goes going gone on
        ahead proceed next do does doing done it its that this these those them so then and now again still well hm hmm
        hmmm ah oh aha alright right correct exactly agreed agree lgtm ready approve approved accept accepted confirm
        confirmed no nope n nah not stop wait hold cancel hi hello hey yo sorry oops retry try lets let keep resume
        carry true false all both either neither option options first second third fourth one two three four five
        sounds looks seems works worked working idea way thing things more btw fyi lol haha wrong bad just really very
        too also maybe yet here there off left pick picked previous previously last earlier same above below step steps
        task tasks plan work session phase stuff anything everything something whatever yourself finish finished
        remaining rest part point where as is are was be been up you we i me my our your the a an to of in with for
        from at by if or but when what why how who which can could should would will did have has had let's it's that's
        don't dont doesn't isn't i'm you're we're
        """,
    chores="""
        commit commits committed push pushes pushed merge merges merged rebase rebased squash amend deploy deployed
        release released publish tag pr prs stash
        """,
    beside_chores="""
        stage staged pull branch branches checkout draft open opened raise create make change changes changed file
        files far together main master origin remote upstream message messages description desc directly new into
        prepare clean close request github git code conventional separate single local update updated
        """,
    adds=r"^(?:and|also|plus|or|but|include|oh\sand)\b | \b(?:too|as\swell|also)\W*$",
    remarks=r"""
    ^(?:(?:yes|yeah|no|ok|okay|well|lol|oh|hm+|ah)[,.]?\s+)*(?:they|he|she|it)(?:['’](?:s|re|d|ll)|\s)
        (?!.*\b(?:should|must|needs?|ha[sv]e?\sto|can\syou|could\syou|please|want|let['’]?s)\b)
    """,
    kinds={
        "debugging": r"""
        \b(?:bugs?|debug\w*|crash\w*|broken|fail(?:s|ed|ing|ure)?|errors?|wrong|why\s(?:is|does|do|are)
          |fix(?:es|ed|ing)?|issue|regression|panic|traceback)\b
        """,
        "testing": r"\b(?:tests?|testing|coverage|specs?|e2e|tdd)\b",
        "documentation": r"\b(?:docs?|documentation|readme|changelog|comments?|guide|diagrams?)\b",
        "refactoring": r"""
        \b(?:refactor\w*|renam\w+|extract|clean\s?up|simplif\w+|dedup\w*|duplicat\w+|mov(?:e|ing)
          |restructur\w+|reorgani[sz]\w+)\b
        """,
        "planning": r"\b(?:plan|planning|design|architecture|propos\w+|approach|options?|strategy|roadmap|brainstorm)\b",
        "research": r"""
        \b(?:explain|investigate|research|explore|understand|how\sdoes|what\sis|compare|review|summari[sz]e)\b
        """,
    },
    intents={
        "deploy": r"deploy|release|publish|ship|roll\s?out",
        "review": r"review|code\s?review|feedback\son|audit",
        "verify": r"verify|test|check|validate|make\ssure|confirm|lint",
        "fix": "fix|bug|broken|repair|resolve|debug",
        "analyze": r"analy[sz]e|investigate|explain|why|understand|look\sinto",
        "generate": "add|create|generate|write|implement|build|make",
    },
)
