"""German."""

from holdfast.language.language import (
    Cue,
    Language,
    NextSteps,
    Questions,
    Quoting,
    Requests,
    Retractions,
    Rules,
    Statements,
    Talk,
    Words,
)

_TONGUES = r"(?:englisch|deutsch|französisch|spanisch|japanisch|chinesisch)"

# A nod, before what is said or in its place.
_NOD = r"(?:erledigt|fertig|perfekt|verstanden|alles\sklar|prima|gute\sfrage|du\shast\srecht|stimmt)"

LANGUAGE = Language(
    code="de",
    rules=Rules(
        cues=r"""
        \b(?:ab\s+(?:jetzt|sofort) | von\s+nun\s+an | auf\s+keinen\s+fall | (?:oberste|höchste)\s+priorität
          | hat\s+vorrang | ich\s+(?:bevorzuge|meinte) | ist\s+(?:falsch|nicht\s+(?:richtig|korrekt))
          | stell\w*\s+sicher | achte\s+darauf | d[aü]rf(?:st|en)?(?:\s+[^\s,]+){0,6}?\s+(?:nicht|nie|kein\w*) | du\s+(?:musst|sollst)
          | ich\s+(?:will|möchte)\s+(?:nicht|kein\w*) | am\s+wichtigsten | m[uü]ss(?:en)?(?!\s+(?:ich|wir)) | verboten )\b
        """,
        shapes=rf"""
        ^(?:bitte\s+)?(?:wenn|falls)\s+(?:ich|du)\s+(?!(?:fertig|willst|magst|möchtest|kannst)\b)[^,;]{{3,60}},\s*(?:dann\s+|bitte\s+)*(?:lass\s+(?:es\s+)?mich\s+(?:es\s+)?wissen|sag\w*|frag\w*|stopp\w*|erinner\w*|warn\w*|warte|weis\w*|gib)\b
      | \bjedes\s+mal,?\s+wenn\s+(?:ich|du|wir)\b[^,;]{{3,60}},\s*(?:dann\s+|bitte\s+)*(?:lass|sag|frag|stopp|erinner|warn|warte|weis|gib|schreib|nutze|verwende|mach|prüf)\w*
      | \b(?:nutzen?|nimm|nehmen|verwenden?|benutzen?)\s+(?!(?:wir|d[aei]\w+|diese\w*|es)\b)[^,;]{{1,40}}?
            (?:\s+(?:an)?statt\b|\s+anstelle\b|,\s+(?:und\s+)?nicht\b)
      | \bwir\s+(?:nutzen|verwenden|benutzen)\s+kein\w*\b
      | (?:^|[,;:]\s*|\b(?:und|aber)\s+)keine?\w*\s+(?:neue\w*|weitere\w*)\s+(?:abhängigkeit\w*|dependenc\w+|pakete?|bibliothek\w*
          |libs?|librar\w+|crates?|module?|dateien|tabellen|features?)\b
      | ^(?:(?:bitte|und)\s+)?hör\w*\s+(?:bitte\s+)?auf,?\s+\w
      | \bfinger\s+(?:weg\s+)?von\b
      | ^lass\w*\s[^,;]{{1,60}}\s(?:in\s+ruhe|unangetastet|unverändert)\b | \bbleib(?:t|en)\s+(?:unangetastet|unverändert|tabu)\b
      | (?:commit\S{{0,20}}|\bkommentare|nachrichten|\bdoku\w*|\bantworten|\btexte|\bdocstrings)\s+(?:bitte\s+|immer\s+|nur\s+)?auf\s+{_TONGUES}\b(?!\s+(?:sind|ist|w[ei]rde?n?|fehl))
      | ^antworte\w*\s+(?:bitte\s+|mir\s+)?auf\s+{_TONGUES}\b
      | ^(?:künftig|zukünftig|in\s+zukunft)\b
      | ^(?:bitte\s+)?nicht\s+(?:\S+\s+){{0,3}}?\w+en,?\s+(?:bevor|solange|ohne|bis)\b
      | \b(?:ist|sind)\s+wichtiger\s+als\b
      | ^nur\s+(?:(?:auf|in|für)\s+)?(?!ein|so\b|kurz)[\w./-]+[.!]*$
      | ^(?:zu)?erst\s+(?:den|die|das)\s+\S+\s+\w+en,?\s+dann\b
        """,
        weak_cues=r"""
        \b(?:niemals | nie | immer(?!\s+(?:noch|wieder)) | vermeide | bevorzuge )\b
      | \bbitte\s+(?:nur|kein\w*|nicht|nutze|verwende|benutze|immer)\b
      | ^(?:bitte\s+)?(?:fass|ändere?|lösch\w*|nutze|verwende|benutze|schreib\w*|füg\w*|mach\w*|committe|push\w*
          |rühr\w*|entferne|starte|führe?|lass|bearbeite)\b[^,;:]*\b(?:nicht|kein\w*|nur)\b
        """,
        describes=r"(?:das | die | der | dies\w* | es | ich | wir | er | sie | eine? | im | in\s+der | damit | weil | obwohl | \w+\s+(?:ist|war|hat) )\b",
        nods="aber|und|ja|also",
        likeness=r"""
        \b(?:es|das|da)\s+muss\s+(?:am|an|wohl|irgend\w*|ein\w*\s+(?:fehler|bug|problem))\b
      | \bich\s+muss\b | \bmuss\s+(?:am|an|im|in)\s[^,;]{1,60}\bliegen\b | \bdu\s+musst\s+(?:es\s+)?selb(?:st|er)\s+wissen\b
      | \bwir\s+müssen\s+(?:das|es|uns)\s[^,;]{0,60}\b(?:an)?(?:sehen|schauen|reden|überlegen)\b
      | \b(?:ich|wir)\s+(?:werde|werden|mache|machen|stelle|erstelle|schreibe|lege)\s[^.;]{0,40}\bregeln?\b[^.;]*
      | ^(?:(?:nein|ok|aber)[,.]?\s+)*(?:das|es)\s+ist\s+(?:falsch|nicht\s+(?:richtig|korrekt|das,?\s+was\s[^,;:]{1,50}))[\s.!]*$
        """,
        reported=r"^(?:fehler|warnung|fehlgeschlagen)\b[^.]{0,40}:",
        begins=r"^(?:niemals|nie|immer|nur|ab\sjetzt)\b",
        marks=r"\b(?:immer|nie(?:mals)?|bitte)\b",
        lasts=r"\b(?:immer|niemals|ab\sjetzt)\b",
        passing=r"""
        \b(?:m[uü]ss(?:en|t)? | du\s+(?:musst|sollst) | ich\s+meinte | ist\s+(?:falsch|nicht\s+(?:richtig|korrekt))
          | stell\w*\s+sicher | achte\s+darauf | am\s+wichtigsten | (?:oberste|höchste)\s+priorität | hat\s+vorrang )\b(?!\s+(?:nicht|nie|kein))
      | ^(?:nein|doch|warte|halt)[,!.\s] | ^(?:zu)?erst\s
        """,
        general=r"\b(?:jede[rsnm]?|alle[rnm]?|bevor|sobald|immer\s+wenn|überall|pro|je(?!\s+nach(?:dem)?\b))\b",
        forbids=r"\b(?:nicht|kein\w*|nie(?:mals)?)\b",
        repeats=r"""
        \bhabe?\s+ich\s+(?:(?:dir|das|es|doch)\s+){0,3}(?:schon|bereits)\b[^.!?\n]{0,20}\bgesagt\b | \bich\s+habe?\s+(?:(?:dir|das|es|doch)\s+){0,3}(?:schon|bereits)\b[^.!?\n]{0,20}\bgesagt\b
      | \bwieder\s+(?:de[rn]selben|derselbe|dieselben?|de[rn]\s+gleichen?)\s+fehler\b | \bdu\s+hast\s+(?:(?:es|das)\s+)?(?:schon\s+)?wieder\b
        """,
        corrects=r"^nein[,\s]",
    ),
    retractions=Retractions(
        forget_that=r"vergiss\s+(?:das|es) | (?:diese|die)\s+regel\s+gilt\s+nicht\s+mehr",
        rule_nouns="regel",
        forget=r"""
        ^(?:\W*\b(?:ok|okay|bitte)\b){0,3}\W*\b(vergiss|vergesst|ignoriere)\b(?!\snicht\b)
        """,
        lapsed=r"(\bgilt\snicht\smehr\b)",
        no_more=r"\bnicht\smehr\b",
        allows=r"""
        ^(?:(?:ok|okay|jetzt)[,\s]+)?du\s+(?:darfst|kannst)(?!\s+nicht)\b
      | \b(?:ist|sind|darf\w*|dürfen)\s+(?:\S+\s+){0,5}?(?:jetzt\s+)?wieder\b(?!.*\bnicht\b)
        """,
        only_takes_back=r"^\W*vergiss|gilt\s+nicht\s+mehr",
    ),
    statements=Statements(
        decided=Cue("entschieden|beschlossen", ("entschieden", "beschlossen")),
        says_decided=r"""
        ^(?:ich\shabe\s(?:mich\s)?entschieden,?\s|(?:wir\shaben|ich\shabe)\sbeschlossen,\s)
        """,
        found=Cue(
            r"ursache|das\sproblem\s(?:liegt|ist|war|lag)|stellte?\ssich\sheraus",
            ("ursache", "das problem", "stellt sich heraus", "stellte sich"),
        ),
        not_it=Cue(
            r"""
            das\swar\ses\snicht|(?:war|ist)\snicht\s(?:die\sursache|das\sproblem)
          | ich\s(?:lag\sfalsch|habe\smich\sgeirrt)
            """,
            (
                "war es nicht", "nicht die ursache", "nicht das problem", "lag falsch",
                "geirrt",
            ),
        ),
        still=r"\b(?:immer\snoch|noch\simmer|(?:schon\s)?wieder\s(?:de[rn]?selben?|dasselbe|kaputt|ein\sfehler|nicht))\b",
        refutes=r"\b(?:das|es|dies|die\s\w+)\s(?:stimmt\s(?:so\s)?nicht|ist\s(?:falsch|nicht\s(?:richtig|die\sursache|das\sproblem))|war\ses\snicht)\b",
        real_cause=Cue(
            r"(?:eigentliche|wahre|tatsächliche)\sursache|eigentliche\sproblem",
            ("eigentliche", "ursache"),
        ),
        reason=r"\b(?:weil|wenn|nicht|bevor|erst|dass|fehlt|fehlen|kein\w*|wegen|weswegen)",
        supposes=r"\b(?:vielleicht|wahrscheinlich|vermutlich)\b",
        points_back=r"^(?:das(?=\s(?:ist|war|liegt|heißt))|dies(?:es|er)?)\b",
        gave_up=Cue(r"das\sfunktioniert\snicht", ("funktioniert nicht",)),
        undoes=r"\b(?:rückgängig|zurück(?:setzen|nehmen|rollen|ändern|bauen)?|wiederherstellen)\b",
        all_green=r"\btests?\b[^.;]*\b(?:laufen|bestehen|grün)\b",
        committed=r"\bcommittet\b",
        changed=r"\bgeändert\b",
        denies=r"\b(?:nicht|kein\w*)\b",
        heads_open=r"^[\s-]*(?:\w+\s){0,2}(?:nächste[rs]?\sschritte?|probleme?|offen\w*|frage)\b[^.]{0,40}[:：]",
    ),
    next_steps=NextSteps(
        by_user=r"""
        ^(?!.*\b(?:wenn|falls)\sdu\b)(?:(?:bitte|jetzt|dann|nun|danach|anschließend)[,:]?\s)*(?:führe?|start|drück|öffn|füg|kopier|installier|lad|bau)e?n?(?:\ssie)?\s
      | ^(?!.*\b(?:wenn|falls)\sdu\b)(?:du\smusst|sie\smüssen)\s.*\b(?:ausführen|starten|drücken|öffnen|einfügen|kopieren|installieren|laden|bauen)\b
        """,
        says=r"""
        ^als\snächstes\s(?:muss|müss|soll|steh)|\bnächster?\sschritt\b|\b(?:fehlt|fehlen|bleibt|steht|stehen)\snoch\b
      | \bnoch\snicht\s(?:fertig|getestet|umgesetzt|gemacht)
        """,
        heading=r"nächste\sschritte|noch\soffen|offen(?:e\spunkte)?:",
        left_alone=r"\b(?:in\sordnung|unverändert)",
        wanted=r"\b(?:muss|fehlt|noch|sollte)\b",
    ),
    talk=Talk(
        filler=rf"^(?:{_NOD}[\s!！.。,，、:—–-]*)+$",
        opening=rf"^(?:{_NOD}\s*[!,.:—–-]+\s+)+(?=\S)",
        offers=r"^(?:sag(?:en\ssie)?\s(?:mir\s)?(?:einfach\s)?bescheid|lass\smich\swissen|gib\sbescheid|melde\sdich|soll\sich|möchtest\sdu)\b",
        did=r"\b(?:wurden?|worden|habe|hat|haben|(?:ist|sind)\s(?:jetzt|nun)|erledigt|behoben|hinzugefügt|entfernt|geändert|umgestellt|ergänzt|angepasst|gelöscht|erstellt|sortiert|läuft)\b",
        announces=r"""
        ^(?:lass(?:en\s+sie)?\s+mich|schauen\s+wir|ich\s+(?:schaue|prüfe|werde|führe|starte|beginne|lese|erstelle|schreibe)
          |(?:jetzt|nun|zuerst|als\s+nächstes|dann)\s+(?:schaue|prüfe|führe|starte|lese|werde|teste|mache|erstelle|schreibe)\s+ich)\b
        """,
        tell_tale=r"\b(?:der|das|und|ist|mit|nach|nicht)\b",
    ),
    questions=Questions(
        tells_later=r"(?:ich\s)?(?:sag|nenn|geb|teil|tipp|schick)\w*\s(?:es\s|ihn\s|sie\s|dir\s|ihnen\s|den\s|die\s|das\s)*[^,;.]{0,30}$",
        only_plans=r"\b(?:noch\skein(?:en)?\scode|nur\s(?:planen|planung|ein\splan)|erst\s(?:mal\s)?(?:nur\s)?planen|noch\snicht\s(?:programmieren|umsetzen|implementieren))\b",
        tell_me=r"^(?:bitte\s)?(?:sag(?:t|en\ssie)?\smir|gib\s(?:mir\s)?bescheid),?\s(?:bitte,?\s)?(?:welche\w*|ob|was|wie)\b",
        courtesy=r"\b(?:welche[rs]?\s(?:ist\sder\s)?nächste\sschritt|sonst\snoch|noch\s(?:et)?was|weitere\sfragen|was\snoch|was\sals\snächstes|(?:wie|womit|wobei)\skann\sich\s(?:(?:di[rc]h?|euch|ihnen|sie|noch|sonst)\s)*(?:weiter)?(?:helfen|unterstützen)|was\s(?:soll|sollen|möchtest|willst|wollen)\s(?:ich|du|wir)\sals\snächstes|womit\s(?:soll\sich|sollen\swir)\sweitermachen|hast\sdu\s(?:noch\s)?fragen)\b",
        asked=r"""
        ^(?:warum | wieso | weshalb | wie | was | soll(?:en|te|ten)? | kannst | können\s+wir | darf\s+ich)\b
        """,
        heading=r"fragen?\b",
        which=r"\b(?:oder|welche\w*)\b",
        option="variante",
        yes="ja|jo|gerne",
        choosing=r"die|den|das|nr\.?|nummer|nimm",
        joins="und",
        behind_label="bitte",
        between=("oder",),
        refuses=r"\b(?:nicht|kein\w*)\b",
    ),
    quoting=Quoting(
        leads_in=r"""
        \bhier\s+(?:ist\s+|sind\s+|kommt\s+)?(?:der|die|das|ein\w*)\s+(?:\w+\s+)?(?:mails?|e-mails?|nachricht|logs?|text|meldung|fehler|chat|datei|kommentar|ticket|ausgabe|doku|notiz|code|auszug)\b
      | \bwas\s+(?:(?:ist|sind)\s+(?:das|dies\w*)\b | (?:heißt|heisst|bedeutet|meint|will|soll|sagt|ändert|steht|macht)\b)
      | \b(?:übersetz|erklär|fass|prüf|lies|korrigier|beantwort)\w*\b.{0,30}(?:\b(?:das|dies\w*|folgend\w*)\b|[:：]$) | \bzusammen(?:fassen)?\W*$ | \b(?:übersetzen?|korrigieren)\W*$
      | \b(?:das|dies\w*)(?:\s+hier)?\b.{0,40}\b(?:übersetzen|erklären|zusammenfassen|prüfen|lesen|korrigieren|beantworten)\b
      | \b(?:das\s+(?:kommt|steht|kam|stand|sagt)|steht\s+da|siehe\s+unten)\b
        """,
        reads=r"""
        \b(?:übersetz|korrigier|fass)\w*\s+(?:das|dies\w*|es|folgend\w*)\b[^.:]{0,40}$ | \bübersetz\w*\s+(?:ins|auf|nach)\s+\w+\s*$
      | \b(?:mach|formulier)\w*\s+(?:das|dies\w*|es)\s+(?:\w+\s+){0,2}?(?:kürzer|länger|höflicher|freundlicher|klarer|förmlicher|um)\W*$
      | \bwas\s+(?:hältst|denkst)\s+du\s+(?:davon|darüber)\W*$
      | \bwas\s+(?:will|soll|heißt|bedeutet|meint|sagt|möchte)\s+(?:dies\w*|die|der|das|mir)\s+(?:mails?|e-mails?|nachricht|brief|text|kommentar|absatz|satz|kunde|kundin|chef|chefin)\b[^.:]{0,40}$
        """,
        points=r"\b(?:dies\w*|folgend\w*|den|die|das|der|deren)\s+(?:\w+\s+)?(?:mails?|e-mails?|nachricht|logs?|text|meldung|fehler|chat|datei|kommentar|ticket|ausgabe|doku|notiz|code|konfig\w*|zitat)\b",
        shows=r"\b(?:dies\w*|das\s+hier|folgend\w*|unten|hier)\b",
        wishes=r"\b(?:regeln?|anforderung\w*|vorgaben?|aufgaben?|bitte|wichtig\w*|schritte?|hinweise?|mach\w*|soll\w*|muss|müssen|will|möchte|brauch\w*|änderung\w*|punkte?|ziele?|beachte\w*|achte)\b",
        headers="von|an|betreff|datum|gesendet|cc|verfasser|beschreibung|priorität",
        greets=r"(?:hallo|guten\s+(?:tag|morgen)|sehr\s+geehrte\w*|liebe\w*|moin|servus)\b",
        signs_off=r"(?:(?:viele|liebe|beste|herzliche|schöne)\s+grüße|mit\s+(?:freundlichen|besten)\s+grüßen|mfg|lg|vg|gruß|danke)\b",
        wrote=r"\bschrieb\b.{0,60}",
        commented=r"\b(?:kommentierte|hat\s+kommentiert)\b.{0,40}",
    ),
    requests=Requests(
        polite=r"""
        ^(?:(?:dann|jetzt|nun|und|bitte)[,、，:\s]*\s?)+(?=\S{3})
      | ^(?:kannst\sdu|könntest\sdu|ich\smöchte,?\sdass\sdu)\s+
        """,
        asks_kindly=r"\b(?:kannst|könntest|könnt|magst|würdest)\s+(?:du|ihr)\b|\b(?:können|könnten)\s+(?:wir|sie)\b",
        slips=r"""
        \b(?:wollte|sollte)\b[^.,;!]{0,30}\bnicht\s+(?:unterbrechen|stoppen|abbrechen|anhalten)(?:\s+werden)?
      | \b(?:(?:ich\s+)?habe?\s+)?(?:dich\s+|es\s+|das\s+)?(?:aus\s+versehen|versehentlich)\s+(?:unterbrochen|gestoppt|abgebrochen|angehalten|gedrückt)
        """,
        stops=r"""
        ^\W*(?:(?:nein|bitte|ok(?:ay)?)[,\s]+)*(?:stopp?e?|halt|abbrechen|beenden?|kill\w*|brich)
            (?:\s+(?:es|das|alles|bitte|jetzt|ab|(?:den|die)\s\w+))*\W*$
        """,
        redoes=r"""
        ^\W*(?:(?:bitte|ok(?:ay)?|nein|und|ja)[,.\s]+)*(?:(?:versuch|probier|mach|prüf|test|start)\w*\s(?:es\s|das\s|mal\s|bitte\s)*)?
            (?:noch\s?(?:ein)?mal|nochmals|erneut)\b
        """,
        greets=r"""
        ^(?:hallo|hallöchen|moin|servus|gr[üu](?:ß|ss)\s+(?:dich|gott)|guten?\s+(?:morgen|tag|abend))(?:[\s,!.]+(?:claude|zusammen|wie\s+geht(?:['’]s|\s+es\s+dir)))*[\s,!.?]*$
        """,
        opines=r"""
        ^(?:(?:ok|okay|hm+|naja)[,.]?\s+)?(?:ich\s(?:finde|mag|glaube|denke|meine)\b|mir\s(?:ist|gefällt)\b)
        """,
        nods="""
            entschuldigung verzeihung ja jo nein ok okay danke weiter weitermachen genau gut super prima perfekt klasse richtig stimmt passt gerne
            bitte los mach fahre fort fortfahren fortsetzen setze nachste nachster nachsten nachstes schritt halt stopp warte
            hallo sorry nochmal erste zweite dritte option alles klar einverstanden leg so das es mache ruhig am im zu an um er
    du da wo ob in
            """,
        chores="commit commite committe committen einchecken push pushe pushen merge merge mergen deploy deploye deployen",
        beside_chores="und die den das alle anderungen dateien branch auf main nachricht jetzt alles anlegen",
        adds=r"^(?:und|auch|oder|aber|ausserdem|außerdem)\b | \b(?:auch|ebenfalls|ebenso)\W*$",
        kinds={},
        intents={},
    ),
    words=Words(
        small="""
        aber alle allem allen aller alles als also andere anderen auch auf aus bei beim bin bis bist bitte brauche
        brauchen das dass dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort durch egal
        ein eine einem einen einer eines einfach erst etwas euch finde ganz gar geht genau gerade gibt gut habe haben
        hat hatte hier ich ihm ihn ihr immer ist jede jeden jeder jedes jetzt kann kannst kein keine keinen keiner lass
        machen mach mal man mehr mein meine mich mir mit muss nach nicht nichts noch nun nur oben oder ohne schon sehr
        sein seine sich sie sind soll sollen sollte sondern statt und uns unser unten unter viel vom von vor wann warum
        was weil weiter welche welcher wenn wer werden wie wieder will wir wird wurde zum zur zwischen
        """,
        shortened=("inkl", "bzw", "ca", "ggf", "usw", "evtl", "vgl", "nr"),
        days_ago={},
    ),
)  # fmt: skip
