"""Cue words of languages beyond English and simplified Chinese: the ones that carry the most, for each cue of `cues`.

Traditional Chinese, Japanese, Korean, Russian, Ukrainian, French, Spanish, Portuguese, Italian, German, Dutch, Danish,
Swedish, Polish, Czech, Turkish. Stems rather than words where a language inflects.
"""

from __future__ import annotations

from typing import Final

QUESTION: Final = (
    r"(?:嗎|呢|麼|為什麼|怎麼辦|怎麼樣|哪個|哪些|有沒有|要不要|能不能)[^。！]*$|(?:습니까|인지요|나요|죠)[?.\s]*$",
)
HYPOTHETICAL: Final = (
    r"(?:如果|要是|也許|可能|大概|或許|萬一|猜|應該是|說不定|例如)|(?:でしょう|はず|可能性|수도 있|가능성|만약)",
    r"\b(?:если|может быть|возможно|вероятно|наверн\w+|якщо|можливо|мабуть|ймовірно|імовірно)\b",
    (
        r"\b(?:peut-être|probablement|sans doute|pourrait|devrait être|quizás?|probablemente|podría|debería ser|talvez"
        r"|provavelmente|poderia|forse|probabilmente|vielleicht|wahrscheinlich|vermutlich|misschien|waarschijnlijk"
        r"|måske|sandsynligvis|kanske|może|prawdopodobnie|možná|pravděpodobně|pokud|muhtemelen|eğer|olabilir)\b"
    ),
)
PLAN: Final = (
    r"^(?:現在|接下來|首先|然後|讓我|我來|我會|我先|開始)|^.*(?:겠습니다|하겠어요|할게요|시작합니다|진행합니다|기다립니다)[.\s]*$",
    r"^(?:では|それでは|続いて|今から|これより)|^.*(?:確認します|調べます|進めます|検証します|読みます|探します)[。\s]*$",
    (
        r"^\W*(?:сейчас|теперь|сначала|затем|далее|давай\w*|начн\w+|проверю|посмотрю|сделаю|зараз|тепер|спочатку|потім"
        r"|далі|почну|перевірю|подивлюся)\b"
    ),
    (
        r"^\W*(?:je vais|commençons|d'abord|ensuite|maintenant|voyons|laissez-moi|voy a|vamos a|primero|ahora|déjame"
        r"|permíteme|a continuación|vou|agora|primeiro|ich werde|lass mich|zuerst|jetzt|als nächstes|ik ga|laten we"
        r"|jeg vil|lad mig|først|jag ska|najpierw|teraz|sprawdzę|nejprve|nejdříve|pojďme|začn\w+|budeme|budu|podívám"
        r"|şimdi|önce|hadi|bakalım)\b"
    ),
)
PROPOSAL: Final = (
    r"(?:建議|可以考慮|推薦|不如|可選|需要我|要我|你可以|我們可以)|(?:できます。|いかが|よろしい|드릴까요|원하시면|추천)",
    r"\b(?:предлаг\w+|рекоменд\w+|могу|хотите|можно|пропон\w+|можу|бажаєте|хочете|можна)\b",
    (
        r"\b(?:je (?:propose|suggère|recommande)|souhaitez-vous|voulez-vous|vous pouvez|sugiero|recomiendo|propongo"
        r"|¿?quieres|puedes|sugiro|recomendo|você pode|suggerisco|consiglio|ich (?:schlage|empfehle)|du kannst"
        r"|sie können|jeg (?:foreslår|anbefaler)|proponuję|możesz|doporuč\w+|můžete|navrhuj\w+|isterseniz|öneriyorum)\b"
    ),
)
STANDING: Final = (
    r"(?:以後(?!再(?!也))|今後|從現在起|一律|總是|永遠|從不|絕不|千萬|務必|必須|不許|不准|記住|記得|統一|規範|約定|預設|只能|別再|別用)",
    r"(?:必ず|常に|いつも|絶対に|今後|以降|禁止|항상|언제나|절대|반드시|앞으로는?|금지|원칙|규칙)",
    r"\b(?:всегда|никогда|отныне|обязательно|нельзя|только|завжди|ніколи|відтепер|обов'язково|не можна|лише|тільки)\b",
    (
        r"\b(?:toujours|jamais|désormais|dorénavant|obligatoire\w*|interdit|siempre|nunca|jamás|obligatorio|prohibido"
        r"|a partir de ahora|sempre|jamais|de agora em diante|mai più|d'ora in poi|immer|niemals|ab (?:jetzt|sofort)"
        r"|verboten|altijd|nooit|voortaan|altid|aldrig|fremover|alltid|zawsze|nigdy|od teraz|vždy|nikdy|odteď|her zaman"
        r"|asla|bundan sonra|kesinlikle)\b"
    ),
)
NEGATED_ORDER: Final = (
    r"(?:不要|別|不用|不許|禁止|勿)|(?:しないで|やめて|不要|하지 ?마|말고|말아)",
    r"\b(?:не (?:надо|нужно|трогай|делай|используй|добавляй|треба|потрібно|чіпай|роби|використовуй|додавай))\b",
    (
        r"\b(?:ne \w+(?: \w+)? (?:pas|plus|rien|jamais|aucune?)|ne touche\w*|pas (?:de|besoin)|n'utilise|no (?:uses"
        r"|hagas|pongas|toques|quiero|añadas|modifiques|cambies|borres)|sin|não (?:use|faça|mexa|quero|altere|mude)"
        r"|non (?:modificare|toccare|cambiare|usare)|nicht|kein\w*|niet|geen|ikke|ingen|inte|nie|bez|ne\w+uj|nechci"
        r"|istemiyorum|\w+(?:mayın|masın|meyin|mesin))\b"
    ),
)
CHOICE: Final = (
    (
        r"(?:就用|改用|換成|採用|選用|決定|選擇|保留|撤回|還原|去掉|刪掉|放棄|改成|定為|就這樣)|(?:にして|で行|採用|使って|戻して)"
        r"|(?:로 (?:해|하자|가자|바꿔)|유지|삭제해|빼|바꿔|써 ?줘|사용해)"
    ),
    (
        r"\b(?:давай\w*|оставь|оставим|используй|использу\w+|убери|удали|верни|вместо|лучше|хочу|нужно чтобы|залиш\w*"
        r"|використову\w+|прибери|видали|поверни|замість|краще|треба щоб)\b"
    ),
    (
        r"\b(?:gardons|garde|utilis(?:e|ons)|remplace|enlève|supprime|plutôt|je (?:veux|préfère)|mieux vaut|usemos"
        r"|deja|quita|elimina|reemplaza|prefiero|quiero|mejor|en vez de|vamos (?:con|usar)|deixe|remova|prefiro"
        r"|quero|em vez de|usiamo|togli|preferisco|invece di|nehmen wir|nimm|lieber|statt|ich will|laten we|liever"
        r"|lad os|brug|behold|hellere|i stedet|zostaw|użyj|usuń|wolę|zamiast|nech\w*|použi\w+|odstraň|raději|místo|chci"
        r"|\w+(?:elim|alım)|kullan|kaldır|yerine|istiyorum)\b"
    ),
)
ACCEPT: Final = (
    r"^\W*(?:好|行|可以|對|沒問題|同意|就這樣|はい|それで|お願い|いいね|了解|네|예|응|좋아|그래|승인|진행)",
    (
        r"^\W*(?:да|ага|хорошо|ок|давай|отлично|верно|согласен|так|добре|гаразд|чудово|згоден|oui|d'accord|parfait|ok"
        r"|vas-y|sí|vale|perfecto|de acuerdo|adelante|sim|beleza|perfeito|sì|va bene|ja|gut|passt|genau|goed|prima"
        r"|fint|godt|bra|tak|dobrze|jo|ano|dobře|evet|tamam|olur)\b"
    ),
)
BECAUSE: Final = (
    r"(?:因為|由於|否則|不然|避免|以免|所以|為了)|(?:ため|ので|なぜなら|때문|므로|해서|니까|위해)",
    r"\b(?:потому что|так как|поскольку|чтобы|иначе|поэтому|тому що|оскільки|щоб|інакше|тому|через те)\b",
    (
        r"\b(?:parce qu\w*|car (?:il|elle|on|le|la|les|ce|c'est)|puisque|afin|sinon|pour que|à cause|porque"
        r"|ya que|para que|debido|pois|já que|perché"
        r"|poiché|weil|denn|damit|sonst|deshalb|omdat|zodat|fordi|så (?:at|vi)|eftersom|ponieważ|żeby|protože|aby"
        r"|jinak|çünkü|için|yoksa)\b"
    ),
)
CAUSE: Final = (
    r"(?:根本原因|原因是|原因在於|問題(?:是|在於|出在)|導致|造成)|(?:原因|が原因|ためです|원인|때문입니다|문제였)",
    r"\b(?:причин\w+|из-за|проблема (?:в|была)|вызван\w*|через (?:те|це)|спричинен\w*|проблема (?:у|була))\b",
    (
        r"\b(?:cause|à cause de|le problème|dû à|provient de|la causa|el problema|se debe|debido a|causado por"
        r"|o problema"
        r"|a causa|il problema|dovuto a|die ursache|das problem|liegt (?:an|daran)|wegen|oorzaak|årsag\w*|skyldes"
        r"|orsak\w*|przyczyn\w+|spowodowan\w+|příčin\w+|způsob\w+|sebeb\w+|neden\w*|yüzünden|kaynaklan\w+)\b"
    ),
)
TROUBLE: Final = (
    r"\b(?:ошибк\w+|не (?:работает|запускается|открывается)|пада(?:ет|ют)|сломал\w+|помилк\w+|не працює)\b",
    (
        r"\b(?:fall[ao]\w*|no (?:funciona|arranca)|se cuelga|roto|erreur\w*|plante\w*|ne (?:marche|fonctionne) pas"
        r"|cassé\w*|fehler\w*|geht nicht|funktioniert nicht|kaputt|abst(?:ürz|urz)\w*|errore|non funziona|erros?"
        r"|não funciona|foutmelding|werkt niet|fejl\w*|virker ikke|fungerar inte|b[łl][ąę]d\w*|nie działa|chyb[auy]\w*"
        r"|nefunguje|padá|hata(?!sız)\w*|çalışmıyor|görünmüyor|çöktü|çöküyor|(?!istem)\w+[ae]m[ıi]yor(?:um|uz)?)\b"
    ),
)
FIX: Final = (
    r"(?:修復|解決|改成|改為|修正|換成|加上)|(?:修正|直し|対応|解消|追加|変更|수정|해결|추가|변경|교체)",
    r"\b(?:исправ\w+|добав\w+|замен\w+|удал\w+|решен\w+|виправ\w+|дода\w+|замін\w+|видал\w+|вирішен\w+)\b",
    (
        r"\b(?:corrig\w+|résol\w+|remplac\w+|ajout\w+|supprim\w+|arregl\w+|soluci\w+|añad\w+|agreg\w+|reemplaz\w+"
        r"|correg\w+|adicion\w+|substitu\w+|risol\w+|aggiunt\w+|behoben|gelöst|hinzugefügt|ersetzt|geändert|opgelost"
        r"|toegevoegd|rett\w+|tilføj\w+|løst|fixat|lagt till|napraw\w+|doda\w+|oprav\w+|přid\w+|nahra\w+|düzelt\w+"
        r"|ekle\w+|çöz\w+)\b"
    ),
)
ASSERTIVE: Final = (
    r"(?:只|不|沒|必須|需要|預設|依賴|已經|而不是|會)|(?:だけ|のみ|必要|ません|必ず|만|않|없|필요|해야|합니다)",
    r"\b(?:только|без|нужно|не|нет|теперь|уже|тільки|лише|потрібно|немає|тепер|вже)\b",
    (
        r"\b(?:seulement|uniquement|ne|pas|sans|doit|faut|désormais|solo|nunca|sin|debe|hay que|ahora|apenas|não|sem"
        r"|deve|soltanto|non|senza|nur|nicht|ohne|muss|alleen|niet|zonder|moet|kun|ikke|uden|skal|endast|inte|måste"
        r"|tylko|nie|bez|musi|jen|pouze|musí|sadece|değil|gerek\w*|artık)\b"
    ),
)
OPEN: Final = (
    r"(?:還沒|尚未|未完成|待辦|待定|遺留|下次|剩下|後續)|(?:未対応|まだ|残り|次回|今後の課題|아직|남은|미완료|다음|대기)",
    (
        r"\b(?:осталось|пока не|ещ[её] не|позже|потом|залишилось|поки не|ще не|пізніше|reste à|pas encore|à faire"
        r"|plus tard|falta|pendiente|todavía no|queda|mañana|falta|ainda não|pendente|manca|non ancora|offen|noch nicht"
        r"|später|nog niet|mangler|endnu ikke|senere|kvar|ännu inte|jeszcze nie|pozostało|zbývá|ještě|zatím|kaldı"
        r"|henüz|sonra)\b"
    ),
)
NARRATION: Final = (
    (
        r"^\W*(?:готово|понял|понятно|отлично|извин\w+|зрозумів\w*|зрозуміло|чудово|вибач\w*|compris|parfait|d'accord"
        r"|désolé|voici|entendido|perfecto|listo|hecho|lo siento|aquí (?:está|tienes)|entendi|pronto|desculpe|aqui está"
        r"|capito|ecco|scusa|verstanden|fertig|hier ist|entschuldig\w+|begrepen|forstået|her er|undskyld|rozumiem"
        r"|gotowe|przepraszam|rozumím|omlouvám|děkuj\w+|hotovo|zde je|anladım|tamam|özür|işte)\b"
        r"[^:：]{0,40}[.!。:：]*$"
    ),
    (r"^\W*(?:了解|わかりました|承知|かしこまりました|알겠습니다|완료|좋습니다|確認しました)[^:：]{0,40}[.!。:：]*$"),
)
EVERYWHERE: Final = (
    (
        r"(?:所有|任何|每個)(?:的)?(?:專案|項目)|(?:すべて|全て|全部|あらゆる|どの)の?(?:プロジェクト|リポジトリ)|全プロジェクト"
        r"|(?:모든|어떤|어느|내 모든) ?(?:프로젝트|저장소|레포)"
    ),
    (
        r"\b(?:во? (?:всех|любом|любых|каждом)(?: \w+)? (?:проект|репозитори)\w*"
        r"|[ву] (?:усіх|всіх|кожному|будь-якому)(?: \w+)? (?:про[еє]кт|репозитор)\w*)"
    ),
    (
        r"\b(?:en (?:todos|cualquiera de) (?:mis|los) (?:proyectos|repositorios)|dans tous (?:mes|les) dépôts"
        r"|in (?:allen (?:meinen )?|jedem (?:meiner )?)(?:projekten?|repos\w*)"
        r"|em todos os (?:meus )?(?:projetos|projectos|repositórios)"
        r"|in tutti i (?:miei )?(?:progetti|repository)|in al (?:mijn|m'n) (?:projecten|repo\W?s)"
        r"|i alle (?:mine )?projekter|i alla (?:mina )?projekt"
        r"|we wszystkich (?:moich )?(?:projektach|repozytoriach)|ve všech (?:mých |svých )?(?:projektech|repozitářích)"
        r"|(?:bütün|tüm) (?:projelerim|projeler)\w*)\b"
    ),
)
HEARSAY: Final = (
    r"(?:聽說|據說|有人說)|(?:と聞いた|と聞きました|だそうです|らしいです|噂)|(?:들었는데|다던데|다더라|라더라|소문)",
    r"\b(?:говорят|слышал\w*|якобы|кажуть|чув(?:ла)?,? що|нібито)\b",
    (
        r"\b(?:j'ai entendu|il para[iî]t|on dit que|he (?:oído|escuchado)|dicen que|ouvi dizer|dizem que|ho sentito"
        r"|dicono che|ich habe gehört|angeblich|man sagt|ik heb gehoord|naar verluidt|jeg har hørt|angiveligt"
        r"|jag har hört|det sägs|słyszał[ae]?m|podobno|slyšel\w*|prý|duydum|duyduğuma|diyorlar|güya)\b"
    ),
)
OF_ANY_PROJECT: Final = (
    (
        r"(?:最佳實踐|高品質|使用者體驗|程式碼(?:要)?(?:整潔|乾淨))|(?:ベストプラクティス|高品質|きれいなコード|ユーザー体験|ユーザー体験)"
        r"|(?:모범 ?사례|고품질|깔끔한 코드|사용자 경험)"
    ),
    (
        r"\b(?:лучшие практики|чист\w+ код|высок\w+ качеств\w+|пользовательск\w+ опыт|найкращі практики|чист\w+ код"
        r"|висок\w+ якіст\w+|користувацьк\w+ досвід)\b"
    ),
    (
        r"\b(?:bonnes pratiques|code propre|de (?:bonne|haute|grande) qualité|expérience utilisateur|buenas prácticas"
        r"|código limpio|(?:alta|buena) calidad|experiencia de usuario|boas práticas|código limpo|alta qualidade"
        r"|experiência do usuário|buone pratiche|codice pulito|alta qualità|esperienza utente|sauberer code"
        r"|hohe qualität|benutzererfahrung|nette code|hoge kwaliteit|gebruikerservaring|god kvalitet|brugeroplevelse\w*"
        r"|användarupplevelse\w*|dobre praktyki|czysty kod|wysok\w+ jakoś\w+|osvědčené postupy|čistý kód"
        r"|vysok\w+ kvalit\w+|temiz kod|yüksek kalite\w*|kullanıcı deneyim\w*|en iyi uygulamalar)\b"
    ),
)
THANKS: Final = (
    (
        r"^\W*(?:(?:謝謝你?|多謝|太好了|很好|不錯|辛苦了?|早安|嗨|ありがとう(?:ございま(?:す|した))?|すごい|すばらしい|素晴らしい"
        r"|なるほど|おはよう(?:ございます)?|こんにちは|お疲れ様(?:です|でした)?|助かりま(?:す|した)|いいね|고마워요?|감사합니다|좋네요?"
        r"|좋아요?|훌륭해요?|대단해요?|수고했어요?|안녕하세요|안녕)\W*)+$"
    ),
    (
        r"^\W*(?:(?:спасибо|благодарю|отлично|супер|класс|круто|здорово|привет|понятно|большое|дякую|чудово|клас|круто"
        r"|привіт|зрозуміло|дуже)\W*)+$"
    ),
    (
        r"^\W*(?:(?:merci|beaucoup|super|génial|parfait|bravo|bonjour|salut|très|bien|gracias|muchas|genial|perfecto"
        r"|buenas?|hola|días|obrigad[oa]|muito|ótimo|olá|bom|dia|grazie|mille|ottimo|perfetto|ciao|danke|dir|schön"
        r"|vielen|dank|toll|prima|sehr|gut|hallo|moin|morgen|dank je|bedankt|goed|mooi|tak|mange|flot|fint|hej|tack|bra"
        r"|snyggt|dzięki|dziękuję|świetnie|super|cześć|díky|děkuji|skvěl\w+|ahoj|dobrý|den|teşekkür(?:ler| ederim)?"
        r"|harika|süper|çok|sağ ol|güzel|selam|merhaba)\b\W*)+$"
    ),
)
COUNTERFACTUAL: Final = (
    r"(?:如果有|要是有|假如有)[^。！？]{0,30}(?:就可以|就能|就不用)|(?:があれば|だったら)[^。]{0,30}(?:のに|いらない)",
    r"(?:있으면|있었다면)[^.]{0,30}(?:텐데|수 있을)",
    r"\b(?:если бы|якби)\b",
    (
        r"\b(?:si (?:tuviéramos|hubiera|tuviera|on avait|nous avions|j'avais|tivéssemos|avessimo)"
        r"|wenn (?:wir|ich|es) [^.]{0,40}(?:hätten?|wären?|gäbe)|als (?:we|ik) [^.]{0,30}hadden|gdybyśmy|gdyby"
        r"|kdybychom|kdyby|hvis vi havde|om vi hade|olsaydı|olsa)\b"
    ),
)
IF_THERE: Final = (
    r"(?:如果|若)[^，。]{0,12}存在|存在(?:すれば|する場合)|(?:있으면|존재하면|있다면)",
    r"\b(?:если (?:\w+ ){0,3}(?:существует|есть)|якщо (?:\w+ ){0,3}(?:існує|є))\b",
    (
        r"\b(?:si (?:\w+ ){0,3}(?:existe|il y en a)|se (?:\w+ ){0,3}(?:existir|esiste)"
        r"|(?:wenn|falls) (?:\w+ ){0,3}(?:existiert|vorhanden)|als (?:\w+ ){0,3}bestaat"
        r"|hvis (?:\w+ ){0,3}(?:findes|eksisterer)|om (?:\w+ ){0,3}finns"
        r"|jeśli (?:\w+ ){0,3}istnieje|pokud (?:\w+ ){0,3}existuje|(?:mevcutsa|varsa))\b"
    ),
)
NOT_YET: Final = (
    (
        r"\b(?:(?:мне )?не (?:удалось|могу|смог\w*) (?:найти|открыть|подключ\w+|прочитать|скачать|получить доступ)"
        r"|не проверен\w*|не проверял\w*|выполняется|ожида\w+|не перевірен\w*|виконується|очіку\w+)\b"
    ),
    (
        r"\b(?:je n['’]ai pas pu (?:trouver|ouvrir|lire|accéder)|je ne peux pas (?:ouvrir|accéder|lire)"
        r"|no (?:pude|puedo) (?:abrir|encontrar|acceder|leer)"
        r"|(?:ich )?(?:konnte|kann) \w+ nicht (?:finden|öffnen|erreichen|lesen)"
        r"|non vérifié\w*|pas (?:encore )?vérifié\w*|en cours|en attente|sin verificar|no verificad\w+|en curso"
        r"|esperando|não verificad\w+|em andamento|non verificat\w+|in corso"
        r"|nicht (?:geprüft|verifiziert|getestet)|läuft noch|wartet auf|niet geverifieerd|loopt nog"
        r"|ikke (?:bekræftet|testet)|inte verifierat|pågår|niezweryfikowan\w+"
        r"|w toku|neověřen\w*|probíhá|čeká na|doğrulanmadı|devam ediyor|bekleniyor)\b"
    ),
)
STILL: Final = (
    r"\b(?:вс[её] ещ[её]|снова|опять|то же самое|не помогло|досі|знову|те саме|не допомогло)\b",
    (
        r"\b(?:toujours|encore|la même erreur|sigue|todavía|otra vez|el mismo error|ainda|de novo|o mesmo erro|ancora"
        r"|di nuovo|immer noch|noch immer|wieder|derselbe fehler|nog steeds|weer|stadig|igen|fortfarande|nadal|wciąż"
        r"|znowu|stále|pořád|zase|hâlâ|hala|yine|aynı hata)\b"
    ),
)
HOLD: Final = (
    r"\b(?:отлож\w+|позже|подожд\w+|відклад\w+|пізніше)\b",
    (
        r"\b(?:en attente|reporter|plus tard|pausar|aplazar|esperar|más tarde|adiar|depois|rimandare|più tardi"
        r"|zurückstellen|aufschieben|später|warten|uitstellen|later|udskyde|vänta|senare|wstrzymać|odłożyć|później"
        r"|pozdržet|odložit|později|beklet|ertele|sonra)\w*\b"
    ),
)
CLOSED: Final = (
    r"\b(?:закры\w+|слит\w*|смерж\w+|закри\w+|злит\w*)\b",
    (
        r"\b(?:fermé\w*|fusionné\w*|cerrad\w+|fusionad\w+|fechad\w+|mesclad\w+|chius\w+|unit\w+|geschlossen|gemergt"
        r"|gesloten|lukket|flettet|stängd\w*|zamknięt\w+|scalon\w+|zavřen\w*|sloučen\w*|kapatıldı|birleştirildi)\b"
    ),
)
TAG: Final = (
    r",\s*(?:да|так|верно|правда|ладно|хорошо|добре|гаразд)\W*$",
    (
        r",\s*(?:oui|non|d'accord|verdad|no|sí|vale|né|certo|tá|vero|no|va bene|ja|nicht wahr|oder|gell|okay|toch|ikke"
        r"|eller hur|prawda|co|dobrze|že|ne|jo|tamam mı|değil mi|olur mu)\W*$"
    ),
)
LEFT: Final = (
    r"^\W*(?:殘留|剩下|待辦|未完成)[^:：]{0,25}[:：]|^\W*(?:還|只)剩",
    r"^\W*(?:残り|残作業|残タスク|未対応|未完了|課題)[^:：]{0,12}[:：]|残っている(?:の|もの|作業|課題)は|^\W*あと(?:一|ひと|1)つ",
    r"^\W*(?:남은 (?:작업|일|과제|것)|미완료|할 일)|(?:하나|일|작업)[이가은는]? 남",
    (
        r"^\W*(?:осталось|осталась|оста[её]тся|не сделано|открыт\w+ вопрос\w*|залишил[оа]с[ья]|лишилося|не зроблено)\b"
        r"[^:]{0,40}:"
    ),
    (
        r"^\W*(?:pendientes?|queda(?:n)?|faltan?|à faire|(?:il )?reste(?:nt)?|en suspens|(?:noch )?offen\w*"
        r"|ausstehend\w*|(?:es|eine sache|ein punkt) (?:bleibt|fehlt|ist noch)|pendentes?|resta(?:m)?|da fare|rimane"
        r"|rimangono|in sospeso|nog te doen|openstaand\w*|er (?:blijft|resteert)|mangler|der mangler|udestår|återstår"
        r"|kvar är|att göra|do zrobienia|pozostał[oa]|został[oa]|zbývá|zůstává|k dořešení|kalan\w*|yapılacak\w*"
        r"|(?:bir|tek) (?:şey|iş) kaldı)\b[^:]{0,40}:"
    ),
)
