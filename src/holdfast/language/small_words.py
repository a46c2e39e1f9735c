"""Words that hold sentences together and are about nothing, in languages written with
Latin letters: only those without accents and of three letters or more."""

SMALL = frozenset(
    """
    aber alle allem allen aller alles als also andere anderen auch auf aus bei beim bin bis bist bitte brauche brauchen
    das dass dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort durch egal ein eine einem
    einen einer eines einfach erst etwas euch finde ganz gar geht genau gerade gibt gut habe haben hat hatte hier ich ihm
    ihn ihr immer ist jede jeden jeder jedes jetzt kann kannst kein keine keinen keiner lass machen mach mal man mehr mein
    meine mich mir mit muss nach nicht nichts noch nun nur oben oder ohne schon sehr sein seine sich sie sind soll sollen
    sollte sondern statt und uns unser unten unter viel vom von vor wann warum was weil weiter welche welcher wenn wer
    werden wie wieder will wir wird wurde zum zur zwischen
    alors apres assez aucun aussi autre autres aux avant avec avoir bien bon bonne ceci cela celle celui ces cet cette
    ceux chaque chez comme comment dans depuis des deux doit donc dont elle elles encore entre est eux faire fait faut fois
    font ici ils jamais juste les leur leurs lors lui mais mal mes mieux moi moins mon ne non nos notre nous ont ou par
    parce pas pendant peu peut peux plus plusieurs pour pourquoi puis quand que quel quelle quels qui quoi rien sans ses
    seulement soit son sont sous suis sur tes toi ton toujours tous tout toute toutes tres trop une vers veux voici voila
    vos votre vous vraiment
    ahora algo algunos ante antes aqui asi aunque cada casi como con contra cosa cosas cual cuando cuanto debe deben del
    desde despues donde dos ella ellas ellos entonces era eres esa ese eso esos esta estas este esto estos estan estar
    favor fue gracias ha hace hacer haga hasta hay haz las les los luego mas menos mis mismo mucho muy nada nos nosotros
    nunca otra otras otro otros para pero poco por porque primero puede puedes pues que quiero quien segun ser si sido
    siempre sin sobre solo son soy sus tal tambien tan tanto tener tengo tiene tienen toda todas todo todos tras tus una
    uno unos usa usar usted vamos vez voy ya
    anh bao cac cho chua chung con cung dang dung duoc gio giup hay hon khi khong lai len luon minh moi mot nen neu
    ngay nhe nhu nhung nua oke phai qua rang rat roi sau sao tat tai the theo thi toi tren trong truoc vay voi xong xin
    adds between causes comes either else etc however itself least maybe neither probably quite
    rather though until upon usually whether whole whose within
    """.split()  # noqa: SIM905  # a list of six hundred strings reads worse
)  # fmt: skip
