"""Everyday words: English words that stand in any conversation about work and say little of what it is about.

Stop words carry no meaning at all; these carry some, and are weighed low. Programmers' words that every project uses
are a group of their own.
"""

from __future__ import annotations

from typing import Final

EVERYDAY: Final = frozenset(
    """
    able ago almost already although always another anything apart around ask asked away bad based basic became become
    begin behind believe best better big bit bring brought call called came case cause caused certain clear close
    come comes coming common complete completely consider could currently day days deal different difficult does
    done early easy effect either else end ended enough entire especially even ever everyone everything exactly
    example expect explain fact fail fails failed failing far fast few final finally fine first follow following found
    four full further gave general generally give given gives goes going gone good great half happen happened happens
    hard having head help hence hold hour hours however idea important including indeed instead interesting involved
    keep keeps kept kind knew know known large last late later latest lead least leave left less level light likely
    little live long longer look looked looking looks lost lot made main make makes making many matter maybe mean means
    meant mind minute minutes moment month months morning most move moved moving much myself name near nearly necessary
    need needed needs never next nice night normal note nothing now number often old ones open order original others
    otherwise outside overall part particular past people perhaps person place plan plenty point possible present pretty
    previous probably problem problems proper properly put quick quickly quite rather reach ready real reason reasons
    recent recently related remember remembered rest right said same saw say saying says second seconds see seem seemed
    seems seen sense separate several short shortly show shown shows side simple simply since single slightly small
    someone something sometimes somewhere soon sort sound speak special specific start started starting starts stay step
    steps still stop stopped story straight sudden suppose sure take taken takes taking talk tell ten term text thank
    thanks thing things think third thought three time times today together told tomorrow took top total toward tried
    true trying turn turned turns two type understand unless usual usually various version view wait want wanted way
    ways week weeks went whole wide wish won wonder word words work worked working works world worse worst write written
    wrong wrote year years yesterday young
    hello hey hi ok okay please sorry welcome cheers
    """.split()
)

PROGRAMMING: Final = frozenset(
    """
    add added adding adds app application array bug bugs change changed changes changing check checks class code coding
    command commands component create created creates data default delete deleted dev edit edits feature features field
    fields file files find fix fixed fixes fixing folder folders function functions handle handling implement
    implementation implemented improve input install issue issues item items key keys line lines list logic method
    methods mode module modules new object objects option options output page param parameter parameters parse path
    print process program project projects property python query refactor remove removed rename repo repository request
    response result results return returns run running runs script section set setting setup snippet software string
    strings support system table tests tool tools ui update updated updates updating use user users using utils value
    values variable variables
    """.split()
)

GRAMMAR: Final = frozenset(
    """
    a al algo ahora ahi alla aqui antes asi aun aunque bajo bien cada casi como con cual cuales cuando cuanto cuanta
    cuantos cuantas cosa cosas de del desde despues donde dos el ella ellos en entonces entre era eran eres es esa esas
    ese eso esos esta estaba estan estar estas este esto estos fue fueron gracias ha hace hacer haces hacia hasta hay
    haz hola la las le les lo los luego mas me mi mis mismo mucho muy nada ni nos nosotros nuestra nuestro nueva nuevo
    o otra otras otro otros para pero poco poner por porque pues que quiero quien quienes se sea ser si sido siempre
    sin sobre solo son soy su sus tambien tan tanto te tener tengo tiene tienen toda todas tu tus un una
    unas uno unos usa usamos usar va vamos vez veces y ya yo
    ao aos aquela aquele aquilo com da das dela dele depois dos e ela ele eles em essa esse estou eu foi fazer isso
    isto ja mais mas meu minha muito na nao nas nem no nos nossa nosso num numa onde ou outra outro pela pelo porque
    pra qual quais quando quanto quantos quem sao seu sua tambem tem temos ter tudo um uma voce
    ainsi alors au aussi autre autres aux avec avoir bon ca car ce cela celle celui ces cet cette chaque chez comme
    comment dans des du elle elles encore est et ete etre faire fait faut ici il ils je jamais juste la le les leur lui
    ma maintenant mes moi mon ne nos notre nous on ont ou ou par parce pas peu peut plus pour pourquoi qu quand que
    quel quelle quelles quels qui quoi rien sa sans se ses si soit son sont sous sur ta tes toi ton tous tout toute
    tres trop tu un une vers voici vos votre vous y
    aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bitte da dann das dass dein
    dem den denn der des dich die dies diese dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
    etwas euch fur ganz gegen gibt habe haben hat hatte hier hin ich ihm ihn ihr ihre im immer in ins ist ja jede jeder
    jetzt kann kein keine konnen machen mal man mehr mein mich mir mit nach nicht noch nun nur ob oder ohne schon sehr
    sein seine sich sie sind so soll sollen uber um und uns unser unsere unter viel vom von vor war waren warum was
    weil welche welcher welches wenn wer werden wie wieder wir wird wo wurde zu zum zur
    che chi con cosa cui dai dal dalla degli dei del della delle di dove e ed gli ha hai ho il io la le lo ma mi
    molto ne nei nel nella noi non nostro o per perche piu puo qual quale quali quando quanti quanto quella quello
    questa questi questo sei si sono sta su sua sul sulla suo te ti tra tu tutti tutto un una uno vi voi
    de die dit een en er geen heeft het hoe ik is je kan maar met mij naar niet nog nu of om onze ook op te tot uit van
    voor waar waarom wat we welke wie wij wordt ze zijn
    а без был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть ещё же за здесь и
    из или им их к как какая какие какой когда кто ли меня мне мы на над наш не него неё нет ни но о об он она они от
    очень по под почему при с сейчас сколько со так также там то тоже только тут ты у уже что чтобы эта эти это этот я
    """.split()
)
"""Words of grammar and of asking in Spanish, Portuguese, French, German, Italian, Dutch and Russian, as
`memd.text.folding.bare` makes them: among English texts they are rare, and say nothing for that.
"""
