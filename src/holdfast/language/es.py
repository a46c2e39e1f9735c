"""Spanish."""

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

_TONGUES = r"(?:español|inglés|ingles|francés|alemán|japonés|chino)\b"

# A nod, before what is said or in its place.
_NOD = r"¡?(?:listo|perfecto|excelente|hecho|claro|entendido|genial|buena\spregunta|tienes\srazón|de\sacuerdo)"

LANGUAGE = Language(
    code="es",
    rules=Rules(
        cues=r"""
        \b(?:a\s+partir\s+de\s+ahora | de\s+ahora\s+en\s+adelante | hay\s+que | prioridad | prefiero
          | me\s+refer[íi]a | quer[íi]a\s+decir | es(?:o|to)\s+(?:est[áa]\s+mal|no\s+es\s+(?:correcto|as[íi]))
          | aseg[úu]r(?:ate|ese) | no\s+quiero\s+que | bajo\s+ninguna\s+circunstancia | prohibido
          | lo\s+m[áa]s\s+importante | obligatorio | no\s+debe[ns]? | debe[ns]?(?!\s+(?:de|haber|funcionar|pasar|tardar)) )\b
        """,
        shapes=rf"""
        ^(?:si|cuando|cada\s+vez\s+que)\s+[^,;]{{3,60}},\s*(?:av[íi]same|dime(?:lo)?|preg[úu]nta\w*|p[áa]rate|recu[ée]rda\w+|det[ée]nte|espera)\b
      | \b(?:us[ae]|usad|usamos|utiliza|utilizamos)\s+(?!(?:el|l[ao]s?|es[aeo]s?|est[aeo]s?)\b)[^,;]{{1,40}}?
            (?:,\s+(?:y\s+)?no\s|\s+en\s+(?:vez|lugar)\s+de\b)
      | (?:^|[,;:]\s*|\by\s+)sin\s+(?:nuevas?\s+)?(?:dependencias|librerías|paquetes|archivos|módulos)\b
      | ^nada\s+de\s+(?!eso|esto|lo\b) | \bno\s+quiero\s+(?!decir|molestar)\w
      | (?:^|[,;:]\s*|\by\s+)deja\s+de\s+\w+r\b
      | \b(?:textos|commits|comentarios|mensajes(?:\s+de\s+commit)?|respuestas|nombres|docs)\s+(?:siempre\s+|sean\s+)?en\s+{_TONGUES}(?!\s+(?:no|se|est|son|sal))
      | ^(?:responde|contesta)(?:me)?\s+(?:siempre\s+)?en\s+{_TONGUES}
      | ^en\s+adelante\b | \bes\s+más\s+importante\s+que\b | \bno\s+se\s+(?:tocan?|modifican?|borran?)\b
      | ^s[oó]lo\s+(?:en|para)\s+[\w./-]+[.!]*$
      | ^primero\s+(?:el|la|los|las|escrib\w+|haz|arregla|ejecuta)\s[^;]*\b(?:luego|después)\b
        """,
        weak_cues=r"""
        \b(?:nunca | siempre | jam[áa]s | [úu]nicamente | evita[r]? )\b
      | \bs[oó]lo\s+(?:usa|cambia|toca|haz|modifica|edita)\w*
      | \bno\s+(?:uses|toques|cambies|hagas|modifiques|borres|escribas|agregues|añadas|pongas|subas
          |rompas|olvides|elimines|crees|ejecutes)\b
        """,
        describes=r"""
        (?:el | los | la | las | un[ao]s? | yo | es[ot][aoe]? | est[aoe] | es)\b
      | siempre\s+(?:da|devuelve|falla|sale|pasa|es|hay|tengo|me|se|está|estoy)\b
      | nunca\s+(?:funciona|pasa|termina|he|se|me|lo|da|devuelve|llega)\b
      | no\s+sé\b | me\s+da\b
        """,
        nods="sí|pero|y",
        likeness=r"""
        \bdebe\s+(?:ser|haber)\s+(?:un|algún|algo|por)\b | ^(?:busc|encontr|encuentr|revis|quit|elimin)\w+\s+(?:los\s+)?(?:textos|comentarios|mensajes)\s+en\s+\w+ | ^no[,.!:]?\s+(?:era|fue)\b
      | \b(?:voy|vamos)\s+a\s+(?:hacer|escribir|definir|crear|dar(?:te)?|establecer|poner)\s[^.;]{0,40}\breglas?\b[^.;]*
      | ^(?:(?:no|ok|pero)[,.]?\s+)*es[ot]o?\s+(?:está\s+mal|no\s+es\s+(?:correcto|así|lo\s+que\s[^,;:]{1,50}))[\s.!]*$
        """,
        reported=r"^(?:error|fallo|aviso|advertencia|no\s+se\s+pudo)\b[^.]{0,40}:",
        begins=r"^(?:prefiero|nunca|siempre|hay\sque)\b",
        marks=r"\b(?:siempre|nunca)\b",
        lasts=r"\b(?:siempre|nunca)\b",
        passing=r"""
        \b(?:hay\s+que(?!\s+(?:no|nunca)) | (?<!\bno\s)debe[ns]? | prefiero\s+(?=(?:el|la|que)\b) | me\s+refer[íi]a | quer[íi]a\s+decir
          | es(?:o|to)\s+(?:est[áa]\s+mal|no\s+es\s+(?:correcto|as[íi])) | aseg[úu]r(?:ate|ese) | prioridad | lo\s+m[áa]s\s+importante | obligatorio )\b
      | ^primero\s
        """,
        general=r"\b(?:cada|tod[oa]s?|antes\s+de|cuando|siempre\s+que|cualquier)\b",
        forbids=r"\b(?:nunca|sin)\b",
        repeats=r"""
        \bya\s+te\s+(?:lo\s+)?(?:dije|he\s+dicho|ped[íi]|hab[íi]a\s+dicho)\b | \b(?:otra\s+vez|de\s+nuevo)\s+el\s+mismo\s+error\b
      | \bel\s+mismo\s+error\s+(?:otra\s+vez|de\s+nuevo)\b | \b(?:hiciste|has\s+hecho|olvidaste)\b[^.!?\n]{0,30}\b(?:otra\s+vez|de\s+nuevo)\b
        """,
        corrects=r"^así\sno",
    ),
    retractions=Retractions(
        forget_that=r"olvida(?:lo|\s+eso) | esa\s+regla\s+ya\s+no\s+(?:aplica|vale)",
        rule_nouns="regla",
        forget=r"""
        ^(?:\W*\b(?:ok|okay|no(?=,)|por\sfavor)\b){0,3}\W*\b(olvid(?:a|e|ad)|ignora|cancela)\b
        """,
        lapsed=r"(\bya\sno\s(?:aplica|vale|hace\sfalta)\b)",
        no_more=r"\bya\sno\b",
        allows=r"^(?:(?:ok|okay|ahora)[,\s]+)?(?:puedes | ya\s+puedes)\b",
        only_takes_back=r"^\W*olvid",
    ),
    statements=Statements(
        decided=Cue(
            r"decid(?:imos|ido|í)\b|(?:he|hemos)\s(?:elegido|optado)|\b(?:elegimos|optamos)\b",
            ("decid", "elegi", "optado", "optamos"),
        ),
        says_decided=r"^(?:he\sdecidido|hemos\sdecidido|decidimos|decidí)\s",
        user_decided=Cue("usemos", ("usemos",)),
        found=Cue(
            r"la\scausa|el\sproblema\s(?:está|es|era|viene)|resulta\sque",
            ("la causa", "el problema", "resulta que"),
        ),
        not_it=Cue(
            r"\bno\s(?:era|es)\s(?:eso|la\scausa|el\sproblema)|me\sequivoqu[ée]|estaba\sequivocad",
            ("no era", "no es", "equivoc", "equivoq"),
        ),
        still=r"\b(?:sigue[ns]?\s(?:sin|igual|fallando|mostr\w+|dando|apareciendo|saliendo|roto)|se\ssigue[ns]?\s|(?:todavía|aún)\s(?:no|sale|falla|aparece|hay)|otra\svez\s(?:el|la|lo)\smism[oa])\b",
        refutes=r"\b(?:eso|esto|no)\s(?:est[áa]\smal|es\s(?:falso|incorrecto|eso|la\scausa|el\sproblema)|no\ses\s(?:correcto|as[íi]|cierto))\b",
        real_cause=Cue(
            r"verdadera\scausa|causa\sreal|verdadero\sproblema",
            ("verdadera causa", "causa real", "verdadero problema"),
        ),
        root_cause=r"causa\sraíz",
        reason=r"\b(?:no\s|falta\w*|ya\sque|debido|porque|cuando|después|antes)",
        supposes=r"\b(?:quizás|probablemente)\b",
        points_back=r"^(?:eso|esto)\b",
        gave_up=Cue(r"eso\sno\sfunciona", ("no funciona",)),
        undoes=r"\b(?:deshaz|deshacer|revierte|revertir|restaura\w*|vuelve\s+a)\b",
        all_green=r"\btests?\b[^.;]*\b(?:pasan|verdes?)\b",
        committed=r"\bcommiteado",
        changed=r"\bactualizado\b",
        heads_open=r"^[\s-]*(?:\w+\s){0,2}(?:(?:próximos?|siguientes?)\spasos?|problemas?|pendientes?|pregunta)\b[^.]{0,40}[:：]",
    ),
    next_steps=NextSteps(
        by_user=r"""
        ^(?!.*\bsi\s(?:quieres|deseas|lo\s)\b)(?:(?:ahora|luego|después|por\sfavor|finalmente)[,:]?\s)*(?:(?:tienes\sque|debes|necesitas)\s)?(?:ejecut|corr|reinici|presion|puls|peg|recarg|abr|instal|copi)(?:a|e|ar|er|ir)\b
        """,
        says=r"""
        \bfaltan?\s\w+r\b|\b(?:siguiente|próximo)\spaso\b|\bquedan?\spor\b|\b(?:todavía|aún)\sno\s(?:est|se\s|hay)
        """,
        heading=r"(?:próximos|siguientes)\spasos|pendientes?",
        left_alone=r"\bsin\scambios",
        wanted=r"\b(?:falta|queda|todavía|debe)\b",
    ),
    talk=Talk(
        filler=rf"^(?:{_NOD}[\s!！.。,，、:—–-]*)+$",
        opening=rf"^(?:{_NOD}\s*[!,.:—-]+\s+)+(?=\S)",
        offers=r"^(?:si\s(?:necesitas|quieres|deseas|tienes)\b[^.]*\b(?:avísame|dime|dímelo|házmelo\ssaber)|avísame|hazme\ssaber|quieres\sque)\b",
        did=r"\b(?:he|ha\ssido|han\ssido|se\sha|se\shan|ahora|añadid[oa]s?|agregad[oa]s?|corregid[oa]s?|eliminad[oa]s?|cread[oa]s?|actualizad[oa]s?|funciona)\b",
        announces=r"""
        ^(?:(?:ahora|primero|bien|luego)[,.]?\s+)?(?:voy\s+a|vamos\s+a|déjame|permíteme|veamos|empiezo
          |ejecuto|compruebo|reviso|miro|creo\s+(?:el|la|los|las|un|una)|escribo|corrijo)\b
        """,
        tell_tale=r"\b(?:el|los|las|del|para|está)\b",
    ),
    questions=Questions(
        tells_later=r"(?:te\s|se\s)?(?:lo\s|la\s)?(?:digo|doy|diré|daré|indico|paso|escribiré)\b[^,;.]{0,30}$",
        only_plans=r"\b(?:sin\scódigo\s(?:todavía|aún)|s[oó]lo\s(?:el\s|un\s)?plan(?:ear|ificar|ificación)?|no\s(?:programes|implementes)\s(?:todavía|aún)|(?:todavía|aún)\sno\s(?:programes|implementes))\b",
        tell_me=r"\b(?:dime|d[ií]game|av[ií]same)\s(?:si|cu[aá]l(?:es)?|qu[eé]|c[oó]mo)\b",
        courtesy=r"\b(?:c[óo]mo\spuedo\sayudar(?:te|le|os)?|qu[ée]\s(?:(?:te|le)\sgustaría|quieres|quiere|deseas?)\shacer\s(?:ahora|después|a\scontinuación)|cu[áa]l\ses\sel\s(?:siguiente|pr[óo]ximo)\spaso|algo\smás|qu[ée]\smás|alguna\sotra|otra\scosa|(?:alguna|tienes)\spreguntas?|en\squ[ée]\s(?:te\s|le\s)?(?:puedo|ayudo)(?:\sayudar)?)\b",
        asked=r"^¿ | ^(?:por\s+qué | cómo | qué | cuál | puedes | deberíamos)\b",
        heading=r"preguntas?\b",
        which=r"\b(?:cuál|o)\b",
        option="opción|opcion|variante",
        yes="sí|si|vale|claro",
        choosing="la|el|número|toma",
        joins="y",
        behind_label=r"por\sfavor",
        between=("o", "y"),
        refuses=r"\b(?:ni|sin)\b",
    ),
    quoting=Quoting(
        leads_in=r"""
        \b(?:este|esta|estos|estas|ese|esa)\s+(?:\w+\s+)?(?:correos?|mensajes?|logs?|registros?|textos?|error(?:es)?|archivos?|ficheros?|comentarios?|tickets?|salidas?|notas?|códigos?|mails?|respuestas?)\b(?=.{0,30}[?:：]|$)
      | \b(?:este|esta|aquí)\s+(?:es|está)\s+(?:el|la|un|una)\s+(?:\w+\s+)?(?:correo|mensaje|log|registro|texto|error|archivo|fichero|comentario|ticket|salida|nota|código)\b
      | \b(?:traduce|explica|resume|revisa|corrige|lee|mira|encontré|vi)\b(?:.{0,20}\b(?:esto|lo\s+siguiente|siguientes?)\b) | \b(?:traduce|resume|explica)\s+(?:est[ea]s?|el|la|lo|al)\b[^:]{0,30}:$
      | \b(?:qué|por\s+qué|cómo)\b.{0,30}\b(?:esto|eso|significa|quiere)\b
        """,
        reads=r"""
        \b(?:traduce|traduzca|resume|resuma|corrige|reformula|acorta)\w*\s+(?:esto|est[ea]\s+\w+|lo\s+siguiente|al\s+\w+)\b[^.:]{0,40}$
      | \bqué\s+les?\s+(?:contesto|respondo|digo)\W*$
      | \bqué\s+(?:quiere|quieren|dice|dicen|pide|piden|significa)\s+(?:decir\s+)?(?:este|esta|ese|esa|el|la|los)\s+(?:correo|mail|e-?mail|mensaje|carta|texto|comentario|cliente|jefe|jefa)s?\b[^.:]{0,40}$
        """,
        shows=r"\b(?:esto|est[ea]s?|estos|siguientes?|abajo)\b",
        wishes=r"\b(?:reglas?|requisitos?|restricciones|tareas?|pasos?|importante|quiero|necesito|debes?|deben|por\s+favor|haz|cambios?|puntos?|objetivos?|notas?)\b",
        headers="de|para|asunto|fecha|enviado|cc|autor|descripción|prioridad",
        greets=r"(?:hola|buenos\s+días|buenas(?:\s+tardes)?|estimad\w+|querid\w+)\b",
        signs_off=r"(?:saludos|un\s+saludo|atentamente|gracias|abrazos?|cordialmente)\b",
        wrote=r"\bescribió",
        commented=r"\bcomentó\b.{0,40}",
    ),
    requests=Requests(
        polite=r"""
        ^(?:(?:también|luego|entonces|ahora|por\sfavor)[,、，:\s]*\s?)+(?=\S{3})
      | ^(?:puedes|podrías|quiero\sque)\s+
        """,
        asks_kindly=r"\b(?:puedes|podés|podrías|podemos|podríamos|puede|podría|me\s+ayudas)\b",
        slips=r"""
        \bno\s+(?:quería|quise)\s+(?:interrumpir(?:te|lo)?|parar(?:te|lo)?|detener(?:te|lo)?|cancelar(?:lo)?)
      | \b(?:interrumpí|interrumpido|paré|detuve|cancelé|pulsé)\b[^.,;!]{0,15}\b(?:sin\s+querer|por\s+(?:error|accidente))
        """,
        stops=r"""
        ^\W*(?:(?:no|ok|vale)[,\s]+)*(?:para(?:lo)?|detén(?:lo)?|cancela(?:lo)?|mata(?:lo)?|aborta)
            (?:\s+(?:eso|esto|todo|ya|(?:el|la)\s\w+))*\W*$
        """,
        redoes=r"""
        ^\W*(?:(?:ok|no|vale|y|sí)[,.\s]+)*(?:(?:inténta(?:lo)?|intenta|prueba|pruébalo|hazlo)\s(?:de\snuevo|otra\svez|nuevamente)\b
            |vuelve\sa\s(?:intentar|probar|hacer)(?:lo)\b|otra\svez\b|de\snuevo\b|reinténta(?:lo)?\b|reintenta\b)
        """,
        greets=r"""
        ^¡?(?:hola|buenas|buen(?:os\s+d[íi]as|as\s+(?:tardes|noches)))(?:[\s,!.]+(?:claude|a\s+todos|¿?qu[ée]\s+tal))*[\s,!.?]*$
        """,
        opines=r"^(?:(?:ok|okay|hm+|bueno)[,.]?\s+)?(?:(?:yo\s)?(?:creo|pienso|opino)\b|me\s(?:gusta|parece)\b)",
        settles="usemos",
        nods="""
            perdon perdona disculpa disculpe si no vale dale sigue seguir continua continuar adelante gracias perfecto claro bien bueno genial listo correcto
            exacto hazlo procede proceder siguiente paso para espera hola perdon otra vez primera segunda tercera opcion de
            acuerdo ok excelente el la lo le un en de al se su mi me te tu o y a
            """,
        chores="commit commitea commitear sube empuja push fusiona mergea despliega publica",
        beside_chores="y los las el la cambios archivos rama en main mensaje todo haz un",
        adds=r"^(?:y|también|además|o|pero)\b | \b(?:también|igualmente)\W*$",
        kinds={},
        intents={},
    ),
    words=Words(
        small="""
        ahora algo algunos ante antes aqui asi aunque cada casi como con contra cosa cosas cual cuando cuanto debe
        deben del desde despues donde dos ella ellas ellos entonces era eres esa ese eso esos esta estas este esto
        estos estan estar favor fue gracias ha hace hacer haga hasta hay haz las les los luego mas menos mis mismo
        mucho muy nada nos nosotros nunca otra otras otro otros para pero poco por porque primero puede puedes pues
        que quiero quien segun ser si sido siempre sin sobre solo son soy sus tal tambien tan tanto tener tengo tiene
        tienen toda todas todo todos tras tus una uno unos usa usar usted vamos vez voy ya
        """,
        shortened=("ej", "aprox"),
        days_ago={},
    ),
)
