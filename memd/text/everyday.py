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
