"""Portuguese, as it is written in Brazil and in Portugal."""

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

_TONGUES = r"(?:portugu[êe]s|ingl[êe]s|espanhol|franc[êe]s|alem[ãa]o)\b"

# A nod, before what is said or in its place.
_NOD = r"(?:pronto|perfeito|excelente|feito|claro|entendi|entendido|ótimo|certo|boa\spergunta)"

LANGUAGE = Language(
    code="pt",
    rules=Rules(
        cues=r"""
        \b(?:a\s+partir\s+de\s+agora | de\s+agora\s+em\s+diante | daqui\s+(?:para|pra|em)\s+(?:a\s+)?(?:frente|diante)
          | é\s+preciso(?!\s+de) | [ée]\s+proibido | obrigat[óo]rio | prefiro | eu\s+quis\s+dizer | eu\s+me\s+referia
          | iss?to\s+est[áa]\s+errado | certifique-se | garanta\s+que | em\s+hip[óo]tese\s+alguma | de\s+jeito\s+nenhum
          | o\s+mais\s+importante | tem\s+que | t[êe]m\s+que | n[ãa]o\s+pode(?:m|mos)?\b(?!\s+ser\s+que)
          | n[ãa]o\s+quero\s+que | n[ãa]o\s+deve[ms]? | deve[ms]?(?!\s+(?:ser\s+(?:um|uma|algo|por)|ter|estar|demorar|funcionar)) )\b
        """,
        shapes=rf"""
        ^(?:se|quando|sempre\s+que|(?:cada|toda)\s+vez\s+que)\s+[^,;]{{3,60}},\s*(?:me\s+(?:avis[ae]|diga|lembr[ae]|pergunt[ae])|avis[ae](?:-me)?|diga-me|pergunt[ae](?:-me)?|lembr[ae]-me|par[ae]|espere)\b
      | \b(?:us[ae]|usem|utilize|vamos\s+usar)\s+(?!(?:o|a|os|as|ess[ae]s?|est[ae]s?)\b)[^,;]{{1,40}}?
            (?:,\s+(?:e\s+)?n[ãa]o\s|\s+em\s+(?:vez|lugar)\s+d[eoa]\b|\s+ao\s+inv[ée]s\s+d[eoa]\b)
      | (?:^|[,;:]\s*|\be\s+)(?:sem|nenhuma)\s+nov[ao]s?\s+(?:depend[êe]ncias?|bibliotecas?|pacotes?|arquivos?|m[óo]dulos?)\b
      | (?:^|[,;:]\s*|\be\s+)par[ae]\s+de\s+\w+r\b
      | \b(?:coment[áa]rios|commits|mensagens(?:\s+de\s+commit)?|respostas|textos|nomes|docs)\s+(?:sempre\s+)?em\s+{_TONGUES}(?!\s+(?:n[ãa]o|est|s[ãa]o|aparec))
      | ^(?:responda|responde)(?:-me)?\s+(?:sempre\s+)?em\s+{_TONGUES}
      | \b[ée]\s+mais\s+importante\s+(?:do\s+)?que\b | \bn[ãa]o\s+se\s+(?:mexe|toca|apaga)\b
      | ^s[óo]\s+(?:em|para)\s+[\w./-]+[.!]*$
      | ^primeiro\s+(?:o|a|os|as|escrev\w+|fa[çz]\w*|corri\w+)\s[^;]*\bdepois\b
        """,
        weak_cues=r"""
        \b(?:nunca | sempre | jamais | somente | evite )\b
      | \b(?:s[óo]|apenas)\s+(?:use|mude|altere|mexa|edite)\b
      | \bn[ãa]o\s+(?:use|mexa|mude|altere|fa[çc]a|apague|escreva|adicione|remova|coloque|quebre|esque[çc]a|crie|execute|rode
          |toque|commite|suba)\b
        """,
        describes=r"""
        (?:eu | ele | ela | eles | elas | n[óo]s | o | os | as | um | uma | iss?to | isso | ess[ae] | est[ae] | [ée]
          | (?:primeiro\s+)?(?:preciso|quero) )\b
      | sempre\s+(?:d[áa]|falha|retorna|aparece|acontece|[ée]|tem)\b | nunca\s+(?:funciona|termina|acontece|chega)\b
      | n[ãa]o\s+sei\b
        """,
        nods="sim|n[ãa]o|mas|e|ent[ãa]o|bom",
        likeness=r"""
        \bdeve\s+(?:ser|haver)\s+(?:um|uma|algum|algo|por)\b | ^n[ãa]o[,.!:]?\s+(?:era|foi)\b
      | \b(?:vou|vamos)\s+(?:fazer|escrever|definir|criar|dar|estabelecer)\s[^.;]{0,40}\bregras?\b[^.;]*
      | ^(?:(?:não|ok|mas)[,.]?\s+)*iss?to\s+está\s+errado[\s.!]*$
        """,
        reported=r"^(?:erro|falha|aviso|não\s+foi\s+possível)\b[^.]{0,40}:",
        begins=r"^(?:nunca|sempre|jamais|prefiro|somente)\b",
        marks=r"\b(?:sempre|nunca|jamais)\b",
        lasts=r"\b(?:sempre|nunca|jamais|daqui\spara\sa?\s?frente)\b",
        passing=r"""
        \b(?:é\s+preciso | obrigat[óo]rio | prefiro\s+(?=(?:[oa]|que)\b) | eu\s+quis\s+dizer | eu\s+me\s+referia | iss?to\s+est[áa]\s+errado
          | certifique-se | garanta\s+que | o\s+mais\s+importante | (?<!\bn[ãa]o\s)(?:t[eêé]m\s+que|deve[ms]?) )\b
      | ^primeiro\s
        """,
        general=r"\b(?:cada|tod[oa]s?|antes\s+de|quando|sempre\s+que|qualquer)\b",
        forbids=r"\b(?:n[ãa]o|nunca|jamais|sem|evite)\b",
        repeats=r"""
        \bj[áa]\s+(?:te|lhe)\s+(?:disse|falei|pedi)\b | \beu\s+j[áa]\s+(?:disse|falei|pedi)\b | \bo\s+mesmo\s+erro\s+(?:de\s+novo|outra\s+vez)\b
      | \b(?:de\s+novo|outra\s+vez)\s+o\s+mesmo\s+erro\b | \bvoc[êe]\s+(?:fez|esqueceu|quebrou)\b[^.!?\n]{0,30}\b(?:de\s+novo|outra\s+vez)
        """,
        corrects=r"^(?:n[ãa]o,|errado|assim\sn[ãa]o)",
    ),
    retractions=Retractions(
        forget_that=r"""
        (?:esque[çc][ae]|deixa|deixe)\s+(?:isso|pra\s+l[áa]|para\s+l[áa]) | essa\s+regra\s+n[ãa]o\s+vale\s+mais
        """,
        rule_nouns=r"\bregras?\b",
        forget=r"""
        ^(?:\W*\b(?:ok|okay|por\sfavor|ent[ãa]o)\b){0,3}\W*\b(esque(?:ce|ça|ca)|ignore|cancele|desconsidere)\b
        """,
        lapsed=r"(\bn[ãa]o\s(?:vale|se\saplica|[ée]\snecess[áa]rio)\smais\b|\bn[ãa]o\sprecisa\smais\b)",
        no_more=r"\bnão\smais\b",
        allows=r"^(?:(?:ok|okay|agora)[,\s]+)?(?:voc[êe]\s+)?(?:j[áa]\s+)?pode(?!\s+n[ãa]o)\b",
        only_takes_back=r"^\W*(?:esque[çc]|desconsider)",
        filler=("esqueça", "esquece", "regra", "sobre"),
    ),
    statements=Statements(
        decided=Cue(
            r"\bdecid(?:imos|i|ido)\b|\b(?:escolhi|escolhemos|optei|optamos)\b",
            ("decid", "escolh", "optei", "optamos"),
        ),
        says_decided=r"^(?:decidi|decidimos|eu\sdecidi|n[óo]s\sdecidimos)\s(?:que\s)?",
        user_decided=Cue(r"\bvamos\s(?:usar|com|manter)\b", ("vamos",)),
        found=Cue(
            r"\ba\scausa\s(?:[ée]|era|foi|est[áa])\b|\bo\sproblema\s(?:est[áa]|[ée]|era|vem)\b|\bdescobri\sque\b|\bacontece\sque\b",
            ("a causa", "o problema", "descobri que", "acontece que"),
        ),
        not_it=Cue(
            r"\bn[ãa]o\s(?:era|[ée])\s(?:isso|a\scausa|o\sproblema)\b|\beu\s(?:estava\serrad[oa]|me\senganei)\b",
            ("não era", "nao era", "não é", "nao e", "errad", "enganei"),
        ),
        still=r"\b(?:ainda\s(?:n[ãa]o|est[áa]|d[áa]|aparece|falha|continua|tem|h[áa])|continua\s(?:sem|igual|falhando|dando|aparecendo|n[ãa]o|com|errado)|de\snovo\so\smesmo)",
        refutes=r"\b(?:isso|isto)\s(?:est[áa]\serrado|n[ãa]o\s[ée]\s(?:verdade|correto|a\scausa|o\sproblema))\b|\bn[ãa]o\s[ée]\sisso\b",
        real_cause=Cue(
            r"\b(?:verdadeira\scausa|causa\sreal|verdadeiro\sproblema)\b",
            ("verdadeira causa", "causa real", "verdadeiro problema"),
        ),
        root_cause=r"\bcausa\sraiz\b",
        reason=r"\b(?:falta\w*|já\sque|devido|porque|quando|depois|antes|pois|não)\b",
        supposes=r"\b(?:talvez|provavelmente|pode\sser\sque)\b",
        points_back=r"^(?:isso|isto)\b",
        gave_up=Cue(r"\bisso\sn[ãa]o\sfunciona\b", ("funciona",)),
        undoes=r"\b(?:desfaça|desfaz\w*|reverta|reverter|restaur\w+|volt[ae]r?)\b",
        all_green=r"\btestes?\b[^.;]*\b(?:passam|passaram|verdes?)\b",
        committed=r"\bcommitado\b|\bcommit\sfeito\b",
        changed=r"\b(?:alterado|atualizado|modificado)\b",
        denies=r"\bn[ãa]o\b",
        heads_open=r"^[\s-]*(?:\w+\s){0,2}(?:próximos?\spassos?|problemas?|pend[êe]ncias?|perguntas?)\b[^.]{0,40}[:：]",
    ),
    next_steps=NextSteps(
        by_user=r"""
        ^(?!.*\bse\s(?:quiser|preferir)\b)(?:(?:agora|depois|então|por\sfavor|em\sseguida)[,:]?\s)*(?:(?:você\s)?(?:precisa|deve|tem\sque)\s)?(?:rod|execut|reinici|pression|apert|col|recarregu?|abr|instal|copi)(?:e|a|ar|ir)\b
        """,
        says=r"""
        \bfaltam?\s\w+r\b|\bo?\s?pr[óo]ximo\spasso\b|\bainda\s(?:falta|precisa|n[ãa]o\sfoi)\b
        """,
        heading=r"pr[óo]ximos\spassos|pend[êe]ncias|o\sque\sfalta",
        left_alone=r"\bsem\smudan[çc]as|\bn[ãa]o\sprecisa",
        wanted=r"\b(?:falta|ainda|precisa|deve)\b",
    ),
    talk=Talk(
        filler=rf"^(?:{_NOD}[\s!！.。,，、:—–-]*)+$",
        opening=rf"^(?:{_NOD}\s*[!,.:—-]+\s+)+(?=\S)",
        offers=r"^(?:se\s(?:precisar|quiser|tiver)\b[^.]*\b(?:avis(?:e|ar)|diga|me\sfal[ae])|me\savis[ea]|é\ssó\savisar|quer\sque\seu)\b",
        did=r"\b(?:foi|foram|agora|(?:é|são|está|estão)\s\w+[ai]d[oa]s?|adicionad[oa]s?|corrigid[oa]s?|removid[oa]s?|criad[oa]s?|atualizad[oa]s?|adicionei|corrigi|removi|criei|funciona)\b",
        announces=r"""
        ^(?:(?:agora|primeiro|bem|depois)[,.]?\s+)?(?:vou|vamos\s+(?:ver|olhar|verificar)|deixe?-?\s?me|deixa\s+eu)\b
        """,
        tell_tale=r"\b(?:uma|não|são|você|isso)\b",
    ),
    questions=Questions(
        tells_later=r"(?:eu\s)?(?:vou\s)?(?:te\s|lhe\s)?(?:digo|direi|dizer|informo|informar|passo|passar|digitar|forneço)\b[^,;.]{0,30}$",
        only_plans=r"\b(?:sem\scódigo\s(?:ainda|por\senquanto)|(?:só|apenas)\s(?:o\s|um\s)?plan(?:o|ejar|ejamento)|ainda\snão\s(?:programe|implemente)|não\s(?:programe|implemente)\sainda)\b",
        tell_me=r"\b(?:me\s(?:diga|diz|fal[ae]|avis[ae])|diga-me|avise-me)\s(?:se|qual|quais|o\sque|como)\b",
        courtesy=r"\b(?:qual\s(?:é\s)?o\spr[óo]ximo\spasso|o\sque\smais|algo\smais|mais\salguma|outra\scoisa|alguma\s(?:pergunta|d[úu]vida)|(?:como|em\sque|no\sque)\sposso\s(?:te\s)?ajudar|o\sque\s(?:(?:você\s)?(?:gostaria|quer|deseja)\s(?:de\s)?|vamos\s)fazer)\b",
        asked=r"^(?:por\s*que | como\s+(?:fa[çc]o|posso|funciona|eu) | o\s+que | qual | ser[áa]\s+que | devemos | voc[êe]\s+pode)\b",
        heading=r"perguntas?\b",
        which=r"\b(?:qual|ou)\b",
        option="opção|opcao",
        yes="sim|isso|claro",
        choosing="número",
        joins="e",
        behind_label=r"por\sfavor",
        between=("ou",),
        refuses=r"\b(?:n[ãa]o|nem|sem)\b",
        resume=r"(?:sim|continue|continua|retomar?)(?!\w)",
        keep=r"(?:n[ãa]o|depois|mant[ée]m|guarda)(?!\w)",
        discard=r"(?:descart\w*|apag\w*|deletar?)(?!\w)",
    ),
    quoting=Quoting(
        leads_in=r"""
        \b(?:este|esta|esse|essa|estes|estas)\s+(?:\w+\s+)?(?:e-?mails?|mensage(?:m|ns)|logs?|registros?|textos?|erros?|arquivos?|ficheiros?|comentários?|tickets?|saídas?|notas?|códigos?)\b(?=.{0,30}[?:：]|$)
      | \b(?:aqui|eis|segue)\s+(?:está\s+)?(?:o|a|um|uma)\s+(?:\w+\s+)?(?:e-?mail|mensagem|log|registro|texto|erro|arquivo|comentário|ticket|saída|nota|código)\b
      | \b(?:traduza|explique|resuma|revise|corrija|leia|veja|olha)\b.{0,20}\b(?:isto|isso|o\s+seguinte|seguintes?)\b
      | \bo\s+que\b.{0,30}\b(?:isto|isso|significa|quer)\b
        """,
        reads=r"""
        \b(?:traduz\w*|resum[ae]|corrija|reescreva|encurte)\s+(?:isto|isso|est[ea]\s+\w+|ess[ea]\s+\w+|o\s+seguinte|para\s+\w+)\b[^.:]{0,40}$
      | \bo\s+que\s+(?:\w+\s+){0,2}?(?:e-?mails?|mensage(?:m|ns)|carta|texto|comentário|cliente|chefe)\s+(?:quer|diz|pede|significa)\b[^.:]{0,40}$
        """,
        shows=r"\b(?:isto|isso|est[ea]s?|ess[ea]s?|seguintes?|abaixo)\b",
        wishes=r"\b(?:regras?|requisitos?|restrições|tarefas?|passos?|importante|quero|preciso|deve[mr]?|por\s+favor|faça|mudanças?|pontos?|objetivos?)\b",
        headers="de|para|assunto|data|enviado|cc|autor|descrição|prioridade",
        greets=r"(?:olá|oi|bom\s+dia|boa\s+tarde|prezad\w+|car[oa]s?)\b",
        signs_off=r"(?:abraços?|atenciosamente|obrigad[oa]|cumprimentos|att)\b",
        wrote=r"\bescreveu",
        commented=r"\bcomentou\b.{0,40}",
    ),
    requests=Requests(
        polite=r"""
        ^(?:(?:então|também|agora|depois|por\sfavor)[,:\s]*\s?)+(?=\S{3})
      | ^(?:você\spode|pode|poderia|quero\sque\svocê)\s+(?=\S{3})
        """,
        asks_kindly=r"\b(?:pode(?:ria|mos|ríamos)?|consegue[s]?|podes|quer\s+fazer)\b",
        slips=r"""
        \bnão\s+(?:queria|quis)\s+(?:(?:te|lhe)\s+)?(?:interromper|parar|cancelar)
      | \b(?:interrompi|interrompido|parei|cancelei|apertei)\b[^.,;!]{0,15}\b(?:sem\s+querer|por\s+(?:engano|acidente|erro))
        """,
        stops=r"""
        ^\W*(?:(?:não|ok)[,\s]+)*(?:par[ae]|cancel[ae]|mat[ae]|abort[ae])
            (?:\s+(?:isso|tudo|agora|já|[oa]\s\w+))*\W*$
        """,
        redoes=r"""
        ^\W*(?:(?:ok|não|e|sim)[,.\s]+)*(?:(?:tent[ae]|test[ae]|faz|faça|rod[ae])\s(?:isso\s)?(?:de\snovo|novamente|outra\svez)\b
            |de\snovo\b|novamente\b|outra\svez\b|mais\suma\svez\b)
        """,
        greets=r"""
        ^(?:ol[áa]|oi|bom\s+dia|boa\s+(?:tarde|noite))(?:[\s,!.]+(?:claude|pessoal|tudo\s+bem))*[\s,!.?]*$
        """,
        opines=r"^(?:eu\s)?(?:acho|penso|gosto)\b",
        settles=r"\bvamos\s(?:usar|com|manter)\b",
        nods="""
            desculpa desculpe sim nao isso claro beleza blz valeu obrigado obrigada perfeito otimo bom certo correto exato continue continua
            continuar prossiga prosseguir segue seguir siga ta show pode fazer faca vai proximo proxima passo etapa pare espere ola
            oi desculpa de novo primeira segunda terceira opcao ok legal tudo bem o os as um do da no na em e se me te ao
            """,
        chores="commit commita commite commitar sobe push empurra mescla merge deploy publica",
        beside_chores="e os as o a alteracoes mudancas arquivos branch no na main mensagem tudo faz um",
        adds=r"^(?:e|também|além\sdisso|ou|mas)\b | \b(?:também|igualmente)\W*$",
        kinds={
            "debugging": r"\b(?:corrig\w+|conserta\w*|erros?)\b",
            "testing": r"\btestes?\b",
            "documentation": r"\b(?:documente|documentação)\b",
            "refactoring": r"\brefator\w+\b",
            "planning": r"\bplanej\w+",
            "research": r"\b(?:explique\spara|investigue)\b",
        },
        intents={"fix": "corrija|conserte", "generate": "adicione|crie|escreva"},
    ),
    words=Words(
        small="""
        agora ainda algo alguns antes apenas aqui assim cada coisa como contra cuja das dele dela deles
        depois desde desta deste disso dos ela elas ele eles entao entre era essa esse esses esta estao estar este foi
        for fosse isso isto mais mas mesmo meu minha muito nada nao nem nossa nosso numa nunca para pela
        pelo pode podem pois por porque precisa qual quando quanto que quem quero sao seja sem sempre ser seu seus sim
        sobre sua suas talvez tambem tem ter tinha toda todas todo todos tudo uma umas uns usar vai vamos voce voces
        """,
        shortened=("ex", "aprox", "pág"),
        days_ago={"hoje": 0, "ontem": 1, "amanhã": -1},
    ),
)
