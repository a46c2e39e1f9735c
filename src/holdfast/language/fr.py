"""French."""

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

_TONGUES = r"(?:français|francais|anglais|allemand|espagnol|japonais|chinois)\b"

# A nod, before what is said or in its place.
_NOD = r"(?:parfait|terminé|c'est\sfait|d'accord|compris|excellent|bonne\squestion|voilà|(?:tu\sas|vous\savez)\sraison)"

LANGUAGE = Language(
    code="fr",
    rules=Rules(
        cues=r"""
        \b(?:il\s+faut | désormais | dorénavant | à\s+partir\s+de\s+maintenant | priorité | je\s+préfère
          | je\s+(?:voulais\s+dire|parlais\s+d) | c'est\s+faux | ce\s+n'est\s+pas\s+ce\s+que
          | tu\s+dois(?!\s+(?:avoir|être)) | vous\s+devez | je\s+ne\s+veux\s+pas | merci\s+de\s+ne | interdit | obligatoire | en\s+aucun\s+cas
          | le\s+plus\s+important | assure(?:-toi|z-vous) | veille[rz]?\s+à
          | ne\s+doi(?:t|s|vent)\s+(?:pas|jamais) | doi(?:t|vent)(?!\s+(?:avoir|marcher|fonctionner|passer)) )\b | \bje\s+parlais\s+d
        """,
        shapes=rf"""
        ^(?:si|quand|chaque\s+fois\s+que?)\s?(?:je|tu|j['’]|['’]il|vous)\s?[^,;]{{3,60}},\s*(?:dis|préviens|demande|arrête|rappelle|signale|avertis|attends|fais-le-moi)\b
      | \b(?:utilise[sz]?|utilisons|prends|prenez)\s+(?!l['’]|l[ea]s?\s|ce\w*\s)[^,;]{{1,40}}?
            (?:,?\s+(?:et\s+|mais\s+)?pas|\s+plutôt\s+qu|\s+au\s+lieu\s+d)
      | (?:^|[,;:]\s*|\bet\s+)(?:pas\s+de|aucune?|sans)\s+nouve\w+\s+(?:d[ée]pendances?|paquets?|packages?|biblioth\w+|librairies?|modules?|fichiers?)\b
      | (?:^|[,;:]\s*|\bet\s+)arrête[sz]?\s+(?:de\s|d['’])
      | (?:^|[,;:]\s*|\bet\s+)laisse[sz]?\s[^,;]{{1,40}}?\s(?:tranquilles?|tel(?:le)?s?\s+quel)
      | \b(?:commentaires|commits|messages(?:\s+de\s+commit)?|réponses|textes|noms|docs)\s+(?:toujours\s+|uniquement\s+)?en\s+{_TONGUES}(?!\s+(?:ne\s|n['’]|s['’]|est|sont|ont))
      | ^répond\w*(?:-moi)?\s+(?:toujours\s+)?en\s+{_TONGUES}
      | \btoujours\s+(?:au\s+format\b|en\s+{_TONGUES})
      | ^à\s+l['’]avenir\b | \best\s+plus\s+importante?\s+qu
      | ^d['’]abord\s+(?:l[ea]s?\s|l['’]|une?\s|écri|fai|lanc|corrig)[^;]*\b(?:ensuite|puis)\b
        """,
        weak_cues=r"""
        \b(?:toujours | jamais | uniquement | évite[rz]? | seulement )\b
      | \bn(?:e\s|['’])\w+\s+(?:pas|jamais|plus|que|rien|aucune?)\b | \bne\s+(?:pas|jamais)\b
        """,
        describes=r"""
        (?:je | ça | cela | cet? | cette | ces | c'est | il | elle | ils | elles | on | nous | le | la | les | une?)\b | [jl]['’]
        """,
        nods="oui|non|mais|et|donc|alors|bon",
        likeness=r"""
        \b(?:ça|cela)\s+doit\s+(?:être|venir) | \bil\s+doit\s+y\s+avoir\s+une?\s+(?:bug|erreur|problème)
      | \bil\s+faut\s+(?:environ\s+)?\d
      | \b(?:je\s+vais|on\s+va|nous\s+allons)\s+(?:\w+\s+){0,2}?(?:faire|écrire|définir|créer|donner|établir|ajouter)\s[^.;]{0,40}\brègles?\b[^.;]*
      | ^(?:(?:non|ok|mais)[,.]?\s+)*(?:c['’]est\s+faux|ce\s+n['’]est\s+pas\s+ce\s+que\s[^,;:]{1,50})[\s.!]*$
        """,
        reported=r"^(?:erreur|échec|avertissement|impossible\s+de)\b[^.]{0,40}:",
        begins=r"^(?:ne\s|n['’]\w+|jamais|toujours|il\sfaut|je\spréfère)\b",
        marks=r"\b(?:toujours|jamais)\b",
        lasts=r"\b(?:toujours|jamais|désormais)\b",
        passing=r"""
        \b(?:il\s+faut | je\s+préfère\s+(?=(?:l[ae]|que?)\b) | je\s+(?:voulais\s+dire|parlais\s+d) | c'est\s+faux | ce\s+n'est\s+pas\s+ce\s+que
          | (?<!\bne\s)(?:tu\s+dois|vous\s+devez|doi(?:t|vent)) | obligatoire | le\s+plus\s+important | priorité
          | assure(?:-toi|z-vous) | veille[rz]?\s+à )\b(?!\s+(?:pas|jamais))
      | ^d['’]abord\s
        """,
        general=r"\b(?:chaque|tou(?:t|s|te|tes)|avant\s+d|quand|lorsque|dès\s+que|partout)\b",
        forbids=r"\b(?:pas|jamais|aucune?)\b",
        repeats=r"""
        \bje\s+(?:te|vous)\s+l['’]ai\s+(?:d[ée]j[àa]\s+)?(?:dit|demand[ée])\b | \bje\s+(?:t['’]ai|vous\s+ai)\s+d[ée]j[àa]\s+(?:dit|demand[ée])\b
      | \bencore\s+(?:une\s+fois\s+)?la\s+m[êe]me\s+erreur\b | \btu\s+(?:l['’]as\s+(?:encore|refait)|as\s+encore\s+(?:fait|oubli[ée]|cass[ée]))
        """,
        corrects=r"^(?:non[,\s]|ne\s(?:fais|faites)\spas)",
    ),
    retractions=Retractions(
        forget_that=r"oubliez?\s+(?:ça|cela) | laissez?\s+tomber | cette\s+règle\s+ne\s+s['’]applique\s+plus",
        rule_nouns="règle",
        forget=r"""
        ^(?:\W*\b(?:ok|okay|alors)\b){0,3}
        \W*\b(oubli(?:e|ez|ons)|ignorez|laissez?\stomber|annulez?)\b(?!\spas\b)
        """,
        lapsed=r"(\bs['’]applique\splus\b)",
        no_more=r"\bplus\sbesoin\b",
        allows=r"""
        ^(?:(?:ok|okay|maintenant)[,\s]+)?(?:tu\s+peux | vous\s+pouvez)\b
      | \b(?:est|sont)\s+(?:de\s+nouveau|à\s+nouveau)\s+(?:permis|autorisé|ok)
        """,
        only_takes_back=r"^\W*oubli",
    ),
    statements=Statements(
        decided=Cue(
            r"décidé|(?:j'ai|nous\savons|on\sa)\s(?:choisi|opté|retenu)|(?:on\spart|nous\spartons)\ssur",
            ("décidé", "choisi", "opté", "retenu", "part sur", "partons sur"),
        ),
        says_decided=r"^(?:j'ai|nous\savons|on\sa)\sdécidé\s(?:de\s|d'|que\s)",
        user_decided=Cue(r"on\sva\sutiliser", ("on va utiliser",)),
        found=Cue(
            r"la\scause|le\sproblème\s(?:vient|est|était)|il\ss'avère\sque",
            ("la cause", "le problème", "s'avère"),
        ),
        not_it=Cue(
            r"""
            ce\sn'(?:est|était)\spas\s(?:ça|cela|la\scause|le\sproblème)|je\sme\s(?:suis\strompé|trompais)
            """,
            ("n'est pas", "n'était pas", "me suis tromp", "me tromp"),
        ),
        still=r"\b(?:toujours|encore)\s(?:pas|rien|l[ea]\smêmes?|en\spanne|cassée?|une?\serreur)\b | \bmarche\stoujours\b",
        refutes=r"\b(?:c['’]est\sfaux|ce\sn['’]est\spas\s(?:[çc]a|vrai|le\sprobl[èe]me|la\scause)|tu\ste\strompes)",
        real_cause=Cue(
            r"(?:vraie|véritable)\scause|vrai\sproblème",
            ("vraie cause", "véritable cause", "vrai problème"),
        ),
        root_cause=r"cause\s(?:racine|profonde)",
        reason=r"\b(?:ne|n['’]\w+|manqu\w+|puisqu|à\scause|parce\squ|car|lorsqu|quand|après|avant)",
        supposes=r"\b(?:peut-être|probablement|sans\sdoute)\b",
        points_back=r"^(?:cela|ça|c'est|ceci)\b",
        gave_up=Cue(r"ça\sne\smarche\spas", ("ne marche pas",)),
        undoes=r"\b(?:annule[zr]?|reviens|revenir|revenez|rétabli\w*|restaure[zr]?)\b",
        all_green=r"\btests?\b[^.;]*\b(?:passent|verts?)\b",
        committed=r"\bcommité",
        changed=r"\bmodifié\b",
        denies=r"\bpas\b",
        heads_open=r"^[\s-]*(?:\w+\s){0,2}(?:prochaines?\sétapes?|problèmes?|restes?)\b[^.]{0,40}[:：]",
    ),
    next_steps=NextSteps(
        by_user=r"""
        ^(?!.*\bsi\s(?:tu|vous)\b)(?:(?:maintenant|puis|ensuite|enfin|veuillez)[,:]?\s)*(?:(?:tu\sdois|vous\sdevez)\s)?(?:lance|exécute|redémarre|relance|colle|recharge|ouvre|installe|copie)[rz]?\b
      | ^(?:(?:maintenant|puis|ensuite)[,:]?\s)*(?:appuie|appuyez)\ssur\b
        """,
        says=r"""
        \bil\sreste\s(?:à|encore)|\breste\sà\b|\bprochaine\sétape\b|\bpas\sencore\s(?:fait|testé|écrit|validé)
        """,
        heading=r"prochaines?\sétapes?|reste\sà\sfaire|à\sfaire",
        left_alone=r"\b(?:inchangé|sans\schangement)",
        wanted=r"\b(?:faut|reste|manquent?|doit|encore)\b",
    ),
    talk=Talk(
        filler=rf"^(?:{_NOD}[\s!！.。,，、:—–-]*)+$",
        opening=rf"^(?:{_NOD}\s*[!,.:—-]+\s+)+(?=\S)",
        offers=r"^(?:n'hésite[sz]?\spas|dis[-\s]moi|dites[-\s]moi|fais[-\s]moi\ssigne|(?:veux-tu|voulez-vous)\sque)\b",
        did=r"\b(?:(?:a|ont)\sété|j'ai|(?:est|sont)\s(?:maintenant|désormais)|ajoutée?s?|corrigée?s?|supprimée?s?|créée?s?|triée?s?|mise?s?\sà\sjour|terminée?s?|fonctionne)\b",
        announces=r"""
        ^(?:(?:maintenant|d'abord|ensuite|bien|ok|parfait)[,.!]?\s+)?(?:je\s+(?:vais|commence|regarde|(?:re)?lance|crée
          |(?:re|ré)?écris|(?:re)?lis|vérifie|corrige|teste|refactore|check)
          |laisse[rz]?[-\s]moi|voyons|regardons|commençons|lançons|vérifions|passons)\b
        """,
        tell_tale=r"\b(?:le|les|est|une|pour|avec|dans)\b",
    ),
    questions=Questions(
        tells_later=r"je\s(?:te|vous|l[ea]s?)?\s?(?:le\s|la\s)?(?:dis|donne|dirai|donnerai|fournis|fournirai|saisis|enverrai)\b[^,;.]{0,30}$",
        only_plans=r"\b(?:pas\s(?:encore\s)?de\scode|(?:juste|seulement)\s(?:un\s|le\s)?plan(?:ifier)?|ne\scode\spas\sencore)\b",
        tell_me=r"\b(?:dis|dites)[-\s]moi\s(?:si|quelle?s?|lequel|laquelle|ce\sque|comment)\b",
        courtesy=r"\b(?:quelle\sest\sla\s(?:prochaine\sétape|suite)|autre\schose|quoi\sd['’]autre|d['’]autres\squestions|des\squestions|comment\spuis-je\s(?:t['’]|vous\s)?aider|que\spuis-je\sfaire\s(?:d['’]autre|pour\s(?:toi|vous))|que\s(?:souhaite[sz]|veux|voulez)-(?:tu|vous)\sfaire\s(?:ensuite|maintenant))\b",
        asked=r"^(?:est-ce | pourquoi | comment | quel\w* | faut-il | peux-tu | pouvez-vous)\b",
        heading=r"questions?\b",
        which=r"\b(?:ou|quelle?)\b",
        option="option|variante",
        yes="oui|ouais|d'accord",
        choosing="la|le|numéro|prends",
        joins="et",
        behind_label=r"s'il\s(?:te|vous)\splaît",
        between=("ou",),
        refuses=r"\b(?:pas|ni)\b",
    ),
    quoting=Quoting(
        leads_in=r"""
        \b(?:ce|cet|cette|ces|le|la|les)\s+(?:\w+\s+)?(?:mails?|e-mails?|courriels?|messages?|logs?|journal|textes?|erreurs?|fichiers?|commentaires?|tickets?|sorties?|docs?|notes?|codes?|réponses?)\b(?=.{0,30}[?:：]|$)
      | \bvoici\s+(?:le|la|les|l['’]|un|une)\s*(?:\w+\s+)?(?:mails?|courriels?|messages?|logs?|journal|textes?|erreurs?|fichiers?|commentaires?|tickets?|sorties?|docs?|notes?|codes?|réponses?)\b
      | \b(?:traduis|traduisez|explique|expliquez|résume|résumez|relis|relisez|corrige|lis|regarde[sz]?|vois)\b.{0,20}\b(?:ceci|cela|ça|ce\s+qui\s+suit|suivante?s?)\b
      | \b(?:que|qu['’]est-ce|quoi|pourquoi|comment)\b.{0,30}\b(?:ceci|cela|ça|veut\s+dire|signifie)\b | \bje\s+réponds\s+quoi\b | \bc['’]est\s+quoi\b
        """,
        reads=r"""
        \b(?:tradui|résume|reformule|corrige|raccourci)\w*(?:[\s-]+(?:ça|ceci|cela|ce\s+\w+|cette\s+\w+|le\s+\w+\s+suivant|moi))+\b[^.:]{0,40}$ | \btraduis\w*\s+(?:en|vers)\s+\w+\s*$
      | \bque?\s+(?:veut|veulent|dit|demande|signifie)\w*\s+(?:dire\s+)?(?:ce|cet|cette|ces|le|la|les)\s+(?:\w+\s+)?(?:mails?|e-mails?|courriels?|messages?|lettres?|textes?|commentaires?|phrases?|clients?|chef)\b[^.:]{0,40}$
      | \b(?:tu\s+en\s+penses\s+quoi|qu['’]en\s+penses-tu)\W*$
      | \bqu['’]est-ce\s+qu['’](?:il|elle|ils|elles|on)\s+(?:me\s+|nous\s+)?(?:veut|veulent|demande|dit)\w*\W*$
        """,
        shows=r"\b(?:ceci|cela|ça|ce|cet|cette|ces|suivante?s?|ci-dessous)\b",
        wishes=r"\b(?:règles?|exigences?|contraintes?|tâches?|étapes?|importante?|il\s+faut|veux|voudrais|besoin|merci\s+de|fais|faites|changements?|points?|objectifs?|attention|consignes?)\b",
        headers="de|à|objet|date|envoyé|cc|auteur|description|priorité",
        greets=r"(?:bonjour|bonsoir|salut|madame|monsieur|chers?|chères?)\b",
        signs_off=r"(?:cordialement|bien\s+(?:cordialement|à\s+vous)|merci|amicalement|bonne\s+journée|salutations)\b",
        wrote=r"\ba\s+écrit",
        commented=r"\ba\s+commenté\b.{0,40}",
    ),
    requests=Requests(
        polite=r"""
        ^(?:(?:alors|puis|aussi|ensuite|s'il\ste\splaît)[,、，:\s]*\s?)+(?=\S{3})
      | ^(?:peux-tu|pouvez-vous|tu\speux|je\sveux\sque\stu)\s+
        """,
        asks_kindly=r"\b(?:peux|pourrais|veux|voudrais)[-\s]tu\b|\b(?:pouvez|pourriez)[-\s]vous\b|\btu\s+(?:peux|pourrais)\b|\bon\s+peut\b",
        slips=r"""
        \bje\s+ne?\s+voulais\s+pas\s+(?:t['’]|vous\s+|l['’])?(?:interrompre|arrêter|annuler|couper)
      | \b(?:interrompu|arrêté|annulé|coupé|appuyé)\b[^.,;!]{0,12}\bpar\s+(?:erreur|accident|mégarde)
        """,
        stops=r"""
        ^\W*(?:(?:non|ok|stp|svp)[,\s]+)*(?:stop(?:pe[rz]?)?|arrête[rz]?|annule[rz]?|tue[rz]?)(?:-le|-la|-les)?
            (?:\s+(?:ça|tout|maintenant|(?:le|la|les)\s\w+))*\W*$
        """,
        redoes=r"""
        ^\W*(?:(?:ok|non|et|oui|stp|svp)[,.\s]+)*(?:réessa(?:ie|ye)[rz]?\b|recommence[rz]?\b|refais(?:-le|\sça)\b
            |(?:essaie|essaye|fais)(?:-le)?\s(?:encore|à\snouveau|de\snouveau)\b|encore\sune\sfois\b|à\snouveau\b)
        """,
        greets=r"""
        ^(?:bonjour|bonsoir|salut|coucou)(?:[\s,!.]+(?:claude|[àa]\s+tous|[çc]a\s+va))*[\s,!.?]*$
        """,
        opines=r"^(?:(?:ok|okay|hm+|bon)[,.]?\s+)?(?:je\s(?:trouve|pense|crois)\b|j'aime\b)",
        settles=r"on\sva\sutiliser",
        nods="""
            desole desolee pardon oui ouais non d'accord daccord merci parfait vas-y vasy allez-y continue continuez continuer poursuis poursuivez
            super bien tres voila exact exactement correct stop attends suite suivant suivante ensuite reprends reprendre
            bonjour salut desole encore c'est cest ca la le les l'option etape genial top nickel entendu compris fais-le
            fais faites tout un une de du et en ce se je tu il on au si me te
            """,
        chores="commit commite commiter committer pousse pousser fusionne deploie deployer publie",
        beside_chores="un une les le la des changements modifications fichiers branche sur main et puis message",
        adds=r"^(?:et|aussi|puis|ou|mais)\b | \b(?:aussi|également)\W*$",
        kinds={},
        intents={"deploy": "deploie", "fix": "corrige"},
    ),
    words=Words(
        small="""
        alors apres assez aucun aussi autre autres aux avant avec avoir bien bon bonne ceci cela celle celui ces cet
        cette ceux chaque chez comme comment dans depuis des deux doit donc dont elle elles encore entre est eux faire
        fait faut fois font ici ils jamais juste les leur leurs lors lui mais mal mes mieux moi moins mon ne non nos
        notre nous ont ou par parce pas pendant peu peut peux plus plusieurs pour pourquoi puis quand que quel quelle
        quels qui quoi rien sans ses seulement soit son sont sous suis sur tes toi ton toujours tous tout toute toutes
        tres trop une vers veux voici voila vos votre vous vraiment
        """,
        shortened=("ex", "env"),
        days_ago={"aujourd'hui": 0, "hier": 1},
    ),
)
