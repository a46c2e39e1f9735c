"""How people lead in English to a text that somebody else wrote, and how such texts look."""

from holdfast.language.language import Quoting

# What a text is called that somebody else wrote, and what one may also be asked to work on.
_WRITTEN = r"""(?:e-?mails? | mails? | messages? | msgs? | logs? | outputs? | (?:stack\s?)?traces? | comments? | threads? | chats?
    | discord | slack | conversations? | transcripts? | articles? | responses? | answers? | repl(?:y|ies) | texts? | letters?
    | quotes? | dumps? | posts? | tweets? | paragraphs? | sentences? | notes? | prompts? | memos? | feedback | handbooks? | excerpts?)"""
_TEXTS = rf"""(?:{_WRITTEN} | errors? | tickets? | issues? | readmes? | docs? | documents? | pages? | config\w* | files? | snippets?
    | diffs? | patch(?:es)? | json | ya?ml | reports? | quer(?:y|ies) | tables? | skills? | settings | code | results?
    | sections? | wiki | polic(?:y|ies) | instructions\s+from)"""

QUOTING = Quoting(
    leads_in=rf"""
    \bhere(?:['’]?s|\s+is|\s+are|\s+was)\s+(?:
        what\s+(?:he|she|they|it|the\s+\w+)\s+(?:say|said|wrote|write|print|return|answer)\w*
      | (?:the|an?|our|my|his|her|their|some|your)\s+(?:[\w.-]+\s+){{0,3}}?{_TEXTS} )\b
  | \b(?:translate|summari[sz]e|proofread|rephrase|paraphrase|spell-?check)\b[^:.]{{0,40}}:$
  | \b(?:translate|explain|summari[sz]e|proofread|rephrase|paraphrase|review|check|read|look\s+at|see|answer|address|analy[sz]e|understand
      |rate|grade|judge|rewrite|shorten|polish|repl(?:y|ying)\s+to|respond\s+to|comment\s+on)
    \s+(?:to\s+)?(?:(?:this|these|that|his|her|their)\s+(?:\w+\s+){{0,2}}?{_WRITTEN}\b | (?:this|these|that|below)(?=\W*$|\s+(?:to|in|into|for\s+me|from)\b) | (?:the\s+)?following\b)
  | \b(?:translate|summari[sz]e|proofread|explain)\W*$ | \bthe\s+below\b | ^from\s+(?:the|our|my|their)\s+(?:\w+\s+){{0,3}}?(?:{_TEXTS}|website|manual|guide|site)\W*$ | ^(?:paste|excerpt|quote|copied)\w*\s+(?:from|of|out)\b
  | ^[^.:;]{{0,60}}\b(?:says?|said|printed|prints|wrote|writes|sent|emailed|reported|complains?|replied|answered|excerpt)(?:,\s[^,]{{0,20}})?\W*$
  | \b(?:fix|correct|improve)\s+the\s+(?:grammar|spelling|wording)\b
  | \bwhat\s+(?:does|do|did|is|are|was|were)\s+(?:this|that|these|those|he|she|they|it|the\s+{_TEXTS})\b
  | \bwhat(?:['’]?s|\s+is)\s+wrong\s+with\s+(?:this|these|that)\b
  | \bwhat\s+(?:he|she|they)\s+(?:mean|want|say|decide)s?\b | \bwhat\s+did\s+(?:he|she|they)\b
  | \b(?:how|what)\s+(?:do|should|can|would)\s+(?:i|we)\s+(?:answer|reply|respond|tell)\b
  | \b(?:says?|said|wrote|sent|copied|prints?|printed|shows?|returns?|replied|answered|got|get|getting|found|saw)
    \s+(?:me\s+|us\s+)?(?:this|the\s+following)\b
  | \bthis\s+is\s+what\s+(?:i|we|he|she|they|it)\s+(?:got?|see|sa[iyw]d?|wrote|returns?|prints?)\b
  | \b(?:output|error|log|message)\s+below\b | \bsee\s+below\b
    """,
    reads=r"""
    \b(?:translate|summari[sz]e|proofread|rephrase|paraphrase|spell-?check|shorten|reword)\s+
        (?:(?:this|that|these|it|the\s+following|below)\b[^.:]{0,40} | (?:(?:in)?to|more|less)\s+\w+\s*)$
  | \b(?:translate|proofread|spell-?check)\s+(?:please|pls)\s*$
  | \b(?:got|received)\s+(?:this|an?)\s+(?:\w+\s+)?(?:e-?mail|mail|letter|message|notice|invoice)\b[^.:]{0,40}$
  | \bexplain\s+(?:this|that|it)\b[^.:]{0,30}$ | \btl;?\s?dr\b[^.:]{0,20}$
  | \bmake\s+(?:this|it)\s+(?:short|long|clear|nic|sound|formal|polite|friendl|read|more|less)\w*[^.:]{0,20}$
  | \b(?:turn|convert|rewrite)\s+(?:this|it|these)\s+(?:in)?to\s+(?:a\s+)?(?:bullet|list|table|summar|poem|tweet|e?-?mail|letter|post|haiku|doc|paragraph|text|english|german|french|spanish)\w*[^.:]{0,20}$
  | \b(?:rewrite|rephrase|say|write)\s+(?:this\s+|it\s+)?(?:more|less)\s+\w+\s*$
  | \bwhat\s+(?:does|do|did|is|are|was|were)\s+(?:this|that|these|those|his|her|their|the)\s+(?:\w+\s+){0,2}?
        (?:e-?mails?|mails?|messages?|letters?|memos?|tweets?|comments?|chats?|articles?|paragraphs?|sentences?|texts?)\b[^.:]{0,40}$
  | \bwhat\s+(?:does|do|did)\s+(?:the|our|my|this|that|these)\s+(?:customer|client|boss|manager|lawyer|landlord|bank|colleague|reviewer|user|vendor|recruiter)s?\s
        (?:\w+\s){0,2}?(?:want|mean|say|ask|need)\b[^.:]{0,30}$
    """,
    points=rf"""
    \b(?:this|these|that|those|the\s+following|following|his|her|their|somebody's)\s+(?:\w+[\s-]+){{0,2}}?{_TEXTS}\b
  | \b(?:the|an?)\s+(?:\w+\s+){{0,2}}?{_TEXTS}\s+(?:below|from|of|says)\b
    """,
    shows=r"\b(?:this|these|those|the\s+following|below)\b",
    wishes=r"""
    \b(?:rules?|requirements?|constraints?|guidelines?|conventions?|notes?|tasks?|to-?dos?|steps?|goals?|scope|wants?|needs?
      |must|should|please|make\s+sure|remember|important|reminder|always|never|also|then|plan|priorit\w+|spec\w*|criteria
      |expect\w*|things?|changes?|features?|points?|instructions?(?!\s+from)|preferences?|do|does|add|build|implement|create
      |fix(?:es)?|update|refactor|use|using|with|ensure|keep|focus|like|example|includ\w+|options?|rule|one|first|second)\b
    """,
    headers=r"""from|to|subject|date|sent|cc|bcc|reply-to|reporter|assignee|priority|description|acceptance|author
        |labels?|steps\s+to\s+reproduce""",
    greets=r"(?:hi|hello|hey|dear|good\s+(?:morning|afternoon|evening)|greetings)\b",
    signs_off=r"""
    (?:(?:(?:best|kind|warm|many)\s+)?(?:regards|wishes|thanks)|best|cheers|thank\s+you|sincerely|yours|br|thx)\b""",
    wrote=r"\b(?:wrote|writes|said|posted)",
    commented=r"\b(?:commented|replied|reviewed|left\s+a\s+(?:comment|review)|requested\s+changes|opened\s+this)\b[^.!]{0,60}",
)
