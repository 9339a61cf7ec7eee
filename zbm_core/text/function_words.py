"""The small words of a language: articles, pronouns, prepositions, auxiliaries, question words.

They build sentences and questions in any subject. They tell which language a text is in, and the
ranking weighs them less than their rarity says (in scientific prose "what" is rarer than "protein").
In the normal form: lower case, without accents.
"""

from __future__ import annotations

import functools

_SMALL = {
    "en": """
        a about above across after again against all along also although am among an and any are around as at be
        because been before being below between both but by can could did do does doing done down during each either
        every few for from further had has have having he her here hers him his how however i if in into is it its
        itself just many may me might more most much must my neither no nor not of off on once only or other our out
        over own per same she should since so some such than that the their them then there therefore these they this
        those through thus to too toward towards under until up upon us very was we were what whatever when where
        whereas whether which while who whom whose why will with within without would yet you your
    """,
    "de": """
        aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei dadurch dafur damit
        danach dann daran darauf daraus darin daruber das dass davon dazu dein dem den denen denn der deren des dessen
        die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa etwas
        fur gegen hat hatte hatten habe haben hier ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem
        jeden jeder jedes kann kein keine keinen konnen konnte mehr mit muss nach nicht noch nun nur ob oder ohne sehr
        sein seine seinem seinen seiner seit sich sie sind so soll sollte sowie uber um und uns unter viel viele vom von
        vor wahrend war waren warum was wegen weil welche welchem welchen welcher welches wem wen wenn wer werden wessen
        wie wieder wieviel wird wo wodurch wofur woher wohin womit worden woran worauf woraus worin wozu wurde wurden
        zu zum zur zwischen
    """,
    "fr": """
        a afin ai ainsi alors apres au aucun aucune aussi autre autres aux avait avant avec avoir c car ce ceci cela
        celle celles celui ces cet cette ceux chaque chez combien comme comment contre d dans de depuis des deux donc dont
        du elle elles en encore entre es est et etaient etait ete etre eu eux fait il ils j je jusqu l la laquelle le
        lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais me meme mes moins mon n ne ni nos notre nous
        on ont ou par parce pas pendant peu peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels qui
        quoi s sa sans se selon ses si soit son sont sous sur t ta tandis tel telle telles tels tes toi ton tous tout
        toute toutes tres tu un une vers vos votre vous y
    """,
    "es": """
        a al algo algun alguna algunos ante antes asi aun aunque bajo cada como con contra cual cuales cualquier cuando
        cuanta cuantas cuanto cuantos de del desde donde dos durante e el ella ellas ellos en entre era eran es esa ese
        eso esta estaba estan estas este esto estos fue fueron ha habia han hasta hay la las le les lo los mas me mediante
        mi mientras mismo mucho muy nada ni no nos o os otra otras otro otros para pero poco por porque pues que quien
        quienes se sea segun ser si sido sin sobre son su sus tal tambien tan tanto te tiene tienen toda todas todo todos
        tras tu un una unas uno unos y ya yo
    """,
    "pt": """
        a ainda algum alguma ao aos apos aquela aquele as ate cada com como contra da das de dela dele depois desde do
        dos durante e ela elas ele eles em enquanto entre era eram essa esse esta estao estas este estes eu foi foram ha
        isso isto ja la lhe mais mas me mediante mesmo muito na nao nas nem nessa nesse nesta neste no nos o onde os ou
        para pela pelas pelo pelos por porque pouco qual quais qualquer quando quanta quantas quanto quantos que quem se
        seja sem ser seu seus sob sobre sua suas tal tambem tao tem toda todas todo todos tu um uma umas uns
    """,
    "it": """
        a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci cio come con contro cosa cui d da dagli dai
        dal dalla dalle dallo degli dei del della delle dello dentro di dopo dove due durante e ed era erano essere fra
        fu furono gli ha hanno i il in io l la le lei lo loro lui ma mentre mi mia mio molto ne negli nei nel nella nelle
        nello noi non nostro o ogni per perche piu po poi prima qual quale quali quando quanta quante quanti quanto quella
        quelle quelli quello questa queste questi questo s se secondo sei senza si sia solo sono sotto su sua sue sugli
        sui sul sulla sulle sullo suo suoi tra tu tutta tutte tutti tutto un una uno vi
    """,
    "nl": """
        aan al alle alles als altijd andere ben bij daar dan dat de deze die dit doch doen door dus een eens en er ge geen
        had hadden heb hebben heeft hem het hier hij hoe hoeveel hun iets ik in is ja je kan kunnen maar me meer men met mij
        mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot tussen u uit uw
        van veel voor waar waarom waarmee wanneer want waren was wat welk welke werd werden wie wij word worden wordt zal ze
        zelf zich zij zijn zo zonder zou
    """,
    "sv": """
        alla allt an att av bland blev bli blir bara da de dem den denna deras dess det detta dig din dina du efter eller en
        er ett fran for ha hade han hans har hennes hon hos hur i icke in ingen inom inte ja jag kan kunde man med mellan men
        mig min mot mycket na nagon nagot nar ni nu och om oss over pa sa sedan sig sin sina sitt ska skulle som till under
        upp ut utan vad var vara varfor varit varje vars vart vem vid vilka vilken vilket
    """,
    "da": """
        af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en er
        et for fra ham han hans har havde hende her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor
        hvornar i ikke ind jeg kan kunne man mange med meget mellem men mere mig min mod ned noget nogle nu nar og ogsa om op
        os over pa sa selv sig sin skal skulle som sadan til ud under var ved vi vil ville var vaere vaeret
    """,
    "no": """
        alle alt andre at av ble bli blir da de deg dem den denne der deres det dette din disse du eller en enn er et etter for
        fra fordi ha hadde han hans har hennes her hos hun hva hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i
        ikke inn ja jeg kan kunne man mange med meg mellom men mer min mot mye na nar noe noen og ogsa om opp oss over pa sa
        seg selv sin skal skulle som til under ut uten var ved vi vil ville vaere vaert
    """,
    "fi": """
        ei eivat en han hanen he heidan ja jo joka jonka jos jossa jota jotka kanssa keta ketka kuin kuinka kuka kun kuten me
        mika mikali miksi milloin millainen minka minun missa mista mita mitka mukaan mutta myos ne niiden niin niita noin nyt
        olen oli olivat olla on ovat paljonko se seka sen siita sina sita tai taman tassa tata tama te tuo vai vain voi
    """,
    "pl": """
        a aby albo ale ani az bardzo bez by byc byl byla bylo byly czy dla do gdy gdzie go i ich ile im ja jak jaka jaki jakie
        jako je jego jej jest jeszcze juz kiedy kto ktora ktore ktory ktorych ma mi moze na nad nie niz o od oraz po pod podczas
        poniewaz przed przez przy sa sie ta tak takze tam te tego tej ten to tu tych tylko tym u w we wiec wszystkie z za ze
    """,
    "cs": """
        a aby ale ani az bez bude by byl byla bylo byly byt co dle do i ja jak jako jaka jake jaky je jeho jej jejich jen jeste
        jiz jsem jsou k kam kde kdo kdy kdyz ke kolik ktera ktere kteri ktery ma mezi na nad ne nebo neni nez o od po pod podle
        pokud pro proc proto pred pri s se si sve ta tak take tato te tedy ten tento to toho tom tomu tu ty u uz v ve vsak z za ze
    """,
    "ru": """
        а без более больше будет бы был была были было быть в вам вас весь во вот все всего всех где да для до его ее если есть
        еще же за и из или им их к как какая какие какими каким каких какого какое какои каком какую ко когда которая которого
        которое которои которые которыи которых кто куда ли лишь между меня мне может можно мои на над надо нас наш не него нее
        нет ни них но ну о об однако он она они оно от откуда очень по под после потому почему при про с сам свои себя сколько со
        так также такои там те тем то того тоже тои только том тот ты у уже хотя чего чеи чем через что чтобы чье эта эти этих это
        этого этои этом этот эту я
    """,
    "ar": """
        في من الى على عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم ان كان كانت يكون قد لا لم لن ما ماذا متى اين كيف كم لماذا هل
        اي او ثم بين كل بعد قبل عند حتى اذا لكن كما منذ حيث غير و ايضا بعض ومن وفي وقد وهو وهي اية لدى خلال
    """,
    "hu": """
        a az ahol ahogy aki alatt altal ami amely arra azok azt be csak de e egy el ennek es ez ezek ezt fel ha hany hogy hogyan
        hol is ki kik le lehet lesz mar meg melyik mely mennyi mert mi miert mikor milyen mint mit nem o ok olyan s sem szerint
        ugy utan vagy van volt voltak
    """,
    "ro": """
        a ai al ale au aceasta aceste acest ca care cat cate ce cea cel cele cei cine cu cum cand de despre din dupa e ea ei el
        ele era este fi fie fost in intr intre isi la le lor lui mai ne nici nu o or pe pentru pana prin sa sau se si sunt sub
        un una unde unei unor unui
    """,
    "tr": """
        ama ancak bir bu bunun cok da daha de degil diye en gibi hangi her icin icinde ile ise kac kadar ki kim kimin mi mu
        nasil ne neden nerede nereye nicin o olan olarak oldu oldugu olup sonra su tarafindan uzere ve veya ya
    """,
    "ca": """
        a al als amb aquest aquesta aquests com contra d de del dels des el ella en entre era es esta est fins ha han hi i l la
        les li lo mes molt ni no o on per pel pels perque pero qual quals quan quant quants que qui se sense ser si sobre son
        seu seva seus un una uns va
    """,
    "id": """
        ada adalah agar akan apa atau bagaimana bagi bahwa berapa dalam dan dapat dari dengan di dia hanya hingga ini itu juga
        kapan karena ke mana maka mengapa mereka namun oleh pada saat sebagai sebuah secara sedangkan siapa suatu telah tersebut
        tidak untuk yaitu yang
    """,
}


@functools.cache
def small_words(language: str) -> frozenset[str]:
    """The small words of the language with this ISO 639-1 code; none for those without a list."""
    return frozenset(_SMALL.get({"nb": "no", "nn": "no"}.get(language, language), "").split())


def languages_with_small_words() -> tuple[str, ...]:
    """The codes of the languages that have a list."""
    return tuple(_SMALL)
