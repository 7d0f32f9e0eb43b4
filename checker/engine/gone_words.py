"""Phrases, in many languages, that say that a page does not exist.

Each language has an entry: the thing, the statement that it is missing, and optionally a different
statement to precede the thing. Both appear in the same title or heading, in either order.
Diacritics, which are often omitted, are ignored (`fold`). Sources: the translated error pages of
WordPress, Drupal, Joomla, MediaWiki, TYPO3 and of browsers.
"""

# ruff: noqa: E501, RUF001 (words of many languages; long lines keep related words together)
import re
import unicodedata

_APOSTROPHES = str.maketrans(dict.fromkeys("\u2019\u2018\u02bc\u00b4`", "'"))
# Folded characters between thing and statement: "the page [you were looking for] …".
_MAX_GAP = 30

# What may be missing, in English.
THINGS = (
    "(?:pages?|article|file|document|content|web ?site|site|url|address|link|item|product|listing|job"
    "|posting|position|vacancy|post|thread|topic|video|resource|entry|record|story|blog|profile"
    "|account|user|event|offer|image|photo|picture|store|shop|channel|group|repository|project"
    "|game|app|directory|folder|object|view|node|category|publication|database|playlist|course"
    "|paste|transfer|campaign|fundraiser|petition|question|answer|tweet|handle|doi|auction|flat"
    "|apartment|role|clip|stream|member|author|ticket|survey|poll|invite|invitation|workspace|map"
    "|data ?set|package|module|gist|snippet|ad|advert|advertisement|coupon|plugin|theme|extension"
    "|download|entity|identifier|bucket|blob|thing|comment|message|issue|bug|task|submission|artwork|listing|apartment|house|flat|advertisement|guild|server|podcast|episode|chapter|manga|mod|addon|torrent|note|list|board|pin|reel|quiz|newsletter|club|team|pattern|model|design|font|sound|track|song|artist|company|organi[sz]ation|school|lesson|patent"
    "|service|board|album|collection|exhibition|exhibit|book|recipe|news|gallery|report)"
)

_LANGUAGES: dict[str, tuple[str, ...]] = {
    "en": (
        rf"{THINGS}|we|you|it|that|this",
        r"not (?:be )?(?:found|located)|(?:can ?not|can'?t|couldn'?t|could not|did ?n[o']t|unable to"
        r"|failed to) (?:seem to )?(?:be )?(?:found?|find|located?|displayed?|loaded?)|(?:does|do|did) ?n[o'] ?t "
        r"(?:seem to |appear to )?exist(?: any ?more)?(?: or (?:has|have|was|may have)(?: been)?"
        r" (?:moved|removed|deleted))?|never existed|no longer (?:exists?|available|here|online"
        r"|active|valid|published|supported|open|listed|live|on (?:sale|the market)|for sale"
        r"|advertised|accepting (?:new )?applications)|is(?: not|n'?t) (?:available|here|there|working)"
        r"(?: any ?more| right now| at the moment)?|is(?: not|n'?t) anymore|not available|(?:has|have|was|were) (?:been )?(?:removed|deleted|withdrawn"
        r"|taken down|unpublished|discontinued|shut down|closed down|taken offline|erased)"
        r"|(?:has|have) (?:expired|vanished|ended|been moved|moved or been)|went missing|(?:has|have) been filled|(?:was|has been) ended|has (?:already )?sold|has (?:been )?deactivated|deactivated (?:his|her|their|its) account|nowhere to be found|no longer shown",
        r"(?:can ?not|can'?t|couldn'?t|could not|unable to|failed to) (?:seem to )?(?:find|locate)|no such",
    ),
    "en (offers)": (
        "job(?: posting| ad| listing| offer)?|vacancy|position|posting|role|listing|auction",
        "(?:is |are |has |was |been |now )*(?:closed|ended|filled)",
    ),
    "de": (
        "album|blog|forum|petition|podcast|folge|sendung|aufnahme|serie|film|karte|paket|app|kampagne|ausstellung|ticket|playlist|lied|vorlage|rezension|spendenaktion|auflistung|wiedergabeliste"
        "|seiten?|webseite|inserat|auktion|stellenanzeige|immobilie|frage|beitrag|artikel|datei|dokument|inhalt|beitrag|produkt|eintrag|adresse|anzeige"
        "|angebot|stelle|stellenangebot|thema|video|website|link|ressource|profil|objekt|benutzer"
        "|veranstaltung"
        "|nutzer|mitglied|gruppe|kurs|buch|bild|foto|galerie|fahrzeug|wohnung|termin|meldung|nachricht|projekt|datensatz|kategorie|job|konto|kanal|spiel|rezept|sammlung|publikation|freigabe|ordner|umfrage|shop",
        "nicht (?:mehr )?(?:gefunden|vorhanden|verfugbar|auffindbar|erreichbar|finden)"
        "|(?:existiert|gibt es|besteht) (?:leider )?nicht|nicht existier|wurde (?:leider )?"
        "(?:geloscht|entfernt|verschoben)|existiert nicht|gibt es (?:leider )?nicht|fehlt|nicht mehr (?:online|aktiv|aktuell)|(?:ist|wurde) (?:bereits "
        "|leider )?(?:besetzt|vergeben|beendet|abgelaufen|deaktiviert)"
        "|(?:steht|stehen) (?:leider )?nicht (?:mehr )?zur verfugung|(?:ist|wurde|sind) (?:leider |bereits |schon )*(?:verkauft|vermietet|offline|inaktiv|nicht (?:mehr )?(?:aktiv|online))|nicht mehr lieferbar|vergriffen|aus dem sortiment genommen|(?:ihr|sein) profil gelöscht|zurückgezogen|(?:ist|bereits) besetzt|verschwunden",
    ),
    "fr": (
        "blog|forum|album|podcast|episode|emission|serie|film|carte|paquet|application|campagne|exposition|billet|liste de lecture|morceau|modele|itineraire|lecon|exercice|ressource|depot"
        "|page|article|fichier|document|contenu|produit|annonce|adresse|offre|ressource|site|lien"
        "|video|fiche|bien|poste|sujet|message|profil|question|discussion|logement|vente|objet|utilisateur"
        "|membre|compte|groupe|cours|livre|image|photo|galerie|vehicule|appartement|maison|evenement|actualite|sondage|boutique|projet|categorie|emploi|recette|jeu|collection|publication|dossier|notice|rubrique|formation|mission|petition|cagnotte|partage|lot",
        "introuvable|non trouvee?|est (?:incorrect|invalide|rompu|perime)e?(?: ou (?:perime|invalide|incorrect)e?)?|pas (?:ete )?trouvee?|n'existe (?:pas|plus)|inexistante?"
        "|n'est (?:pas|plus) (?:disponible|accessible|en ligne|a vendre|active?)|(?:a ete|est|ete) (?:desactivee?"
        "|retiree?|vendue?|pourvue?|expiree?|archivee?)|expiree?|ne trouvons pas|impossible de trouver|plus disponible|indisponible"
        "|(?:a ete|est) supprimee?|pas trouver|n'a pu etre trouvee?"
        "|(?:offre|annonce|page|fiche|contenu|produit|article)s? non disponibles?|a ete (?:fermee?|cloturee?|suspendue?|effacee?|depubliee?)|n'a pas ete trouvee?|(?:est|sont) (?:close?|cloturee?)s?|a disparu|pourvue?|n'est plus (?:valable|proposee?)",
    ),
    "es": (
        "album|blog|forum|peticion|podcast|episodio|programa|serie|pelicula|mapa|paquete|aplicacion|campana|exposicion|entrada|lista de reproduccion|cancion|plantilla|ruta|leccion|repositorio|encuentro"
        "|paginas?|articulo|archivo|documento|contenido|producto|anuncio|direccion|oferta|recurso"
        "|sitio|enlace|video|inmueble|vivienda|propiedad|empleo|vacante|tema|usuario|noticia|piso"
        "|miembro|cuenta|grupo|curso|libro|imagen|foto|galeria|vehiculo|apartamento|casa|evento|encuesta|tienda|proyecto|categoria|receta|juego|coleccion|publicacion|registro|entrada|ficha|perfil|canal|hilo|mensaje|subasta|trabajo|puesto|archivos",
        "no (?:se )?(?:ha |pudo |puede |hemos |pudimos )?(?:sido |podido )?(?:encontrad[oa]|encontrar"
        "|encontramos|encontro)|ya no (?:se encuentra|esta (?:publicad[oa]|activ[oa]|en venta|en linea))"
        "|ha (?:caducado|expirado)|(?:ha sido|fue) (?:retirad[oa]|vendid[oa]|borrad[oa])|desactivad[oa]|no existe|ya no (?:existe|esta disponible)|no (?:esta )?disponible"
        "|no encontrad[oa]|no se encuentra|inexistente|eliminad[oa]|no hallad[oa]"
        "|(?:ha sido|fue) (?:cerrad[oa]|suspendid[oa]|despublicad[oa]|dad[oa] de baja)|esta (?:caducad[oa]|vencid[oa])|finalizad[oa]|dad[oa] de baja|se dio de baja|(?:ha sido|fue) cubiert[ao]|se ha perdido|ha desaparecido",
    ),
    "pt": (
        "album|blog|forum|peticao|podcast|episodio|programa|serie|filme|mapa|pacote|aplicativo|campanha|exposicao|ingresso|playlist|musica|modelo|rota|aula|repositorio|vaquinha"
        "|paginas?|artigo|arquivo|ficheiro|documento|conteudo|produto|anuncio|endereco|oferta|site"
        "|recurso|vaga|imovel|noticia|topico|usuario|link|video"
        "|membro|conta|grupo|curso|livro|imagem|foto|galeria|veiculo|apartamento|casa|evento|enquete|loja|projeto|categoria|receita|jogo|colecao|publicacao|registro|perfil|canal|mensagem|leilao|emprego|post|postagem|materia|oportunidade|processo",
        "nao (?:foi |pode ser |pudemos |conseguimos |possivel )*(?:encontrad[oa]|encontrar|encontramos|localizad[oa])"
        "|nao esta mais (?:disponivel|no ar|ativ[oa])|encerrad[oa]|expirad[oa]|expirou|foi vendid[oa]"
        "|nao existe|ja nao existe|indisponivel|nao (?:esta )?disponivel|removid[oa]|inexistente"
        "|(?:foi|esta) (?:excluid[oa]|apagad[oa]|eliminad[oa]|desativad[oa])|excluid[oa]|nao existem|nao (?:estao|sao) disponiveis|ja nao esta (?:disponivel|ativ[oa]|online|no ar)|foi preenchid[oa]|sumiu|desapareceu",
    ),
    "it": (
        "album|blog|forum|petizione|podcast|episodio|puntata|programma|serie|film|mappa|pacchetto|app|campagna|mostra|biglietto|playlist|brano|modello|percorso|lezione|repository"
        "|pagina|articolo|file|documento|contenuto|prodotto|annuncio|indirizzo|risorsa|sito|offerta|immobile|inserzione|notizia|lavoro|utente|video"
        "|hotel|struttura|membro|account|gruppo|corso|libro|immagine|foto|galleria|veicolo|appartamento|casa|evento|sondaggio|negozio|progetto|categoria|ricetta|gioco|raccolta|pubblicazione|scheda|profilo|canale|messaggio|discussione|asta|post|link|contenuti|domanda",
        "non (?:e stata |e stato |e )?(?:trovat[oa]|disponibile|presente)|non esiste|inesistente"
        "|impossibile trovare|scadut[oa]|vendut[oa]|non e piu (?:disponibile|attiv[oa]|online|in vendita)|non piu (?:disponibile|presente|esistente)|rimoss[oa]"
        "|non (?:sono|e) (?:piu )?(?:stat[oiae] )?(?:trovat[oiae]|disponibil[ei]|present[ei])|(?:e|sono) stat[oiae] (?:cancellat|eliminat|rimoss|chius|sospes|archiviat)[oiae]|eliminat[oa]|cancellat[oa]|non abbiamo trovato|conclus[oa]|non c'e(?: piu)?|e stat[oa] copert[oa]|e scompars[oa]|e sparit[oa]",
    ),
    "nl": (
        "album|blog|forum|petitie|podcast|aflevering|uitzending|serie|film|kaart|pakket|app|campagne|tentoonstelling|ticket|afspeellijst|nummer|sjabloon|route|les|inzamelingsactie"
        "|pagina|artikel|bestand|document|inhoud|product|advertentie|adres|vacature|website|bericht|woning|huis|onderwerp|veiling|aanbieding"
        "|lid|account|groep|cursus|boek|afbeelding|foto|galerij|voertuig|appartement|evenement|enquete|winkel|project|categorie|recept|spel|collectie|publicatie|profiel|kanaal|gebruiker|item|link|vraag|discussie|baan|functie|verhaal|nieuwsbericht",
        "niet (?:meer )?(?:gevonden|beschikbaar|bestaa|vinden)|bestaat (?:helaas )?niet"
        "|onvindbaar|verwijderd|niet (?:gevonden )?worden(?: gevonden)?|(?:is|zijn) (?:gesloten|verlopen|vervuld|beeindigd)"
        "|(?:is|zijn|werd) (?:helaas |inmiddels |al )*(?:niet (?:meer )?(?:beschikbaar|actief|online|te vinden)|verkocht|verhuurd|offline|ingetrokken)|niet langer (?:beschikbaar|online|actief)|is (?:helaas )?(?:verdwenen|weg|ingevuld)",
    ),
    "af": ("bladsy|dokument|artikel", "nie gevind|bestaan nie|kon nie"),
    "sv": (
        "podden|avsnittet|programmet|serien|filmen|kartan|paketet|appen|kampanjen|utstallningen|biljetten|spellistan|laten|mallen|kursen|namninsamlingen|galleriet|insamlingen"
        "|sidan|sida|artikeln|filen|dokumentet|innehallet|produkten|annonsen|adressen"
        "|inlagget|traden|anvandaren|profilen|gruppen|jobbet|tjansten|bostaden|objektet|videon|lanken|fragan|evenemanget|auktionen|bilden|nyheten|meddelandet|boken|kontot|projektet|receptet",
        "(?:kunde )?inte (?:hittas|att hitta)|hittades inte|hittas inte|finns inte|saknas|existerar"
        " inte|hittar inte|kan inte hitta|borttagen|tagits bort"
        "|(?:ar|har) (?:tyvarr )?(?:raderats|raderad|utgatt|avpublicerad|avslutad|sald|saljs)|inte langre (?:tillganglig|kvar|aktiv|publicerad)|har (?:flyttats|tagits bort|forsvunnit)|ar (?:tillsatt|forsvunnen)",
    ),
    "nb": (
        "podkasten|episoden|programmet|serien|filmen|kartet|pakken|appen|kampanjen|utstillingen|billetten|spillelisten|laten|malen|kurset|underskriftskampanjen|galleriet|innsamlingen"
        "|siden|side|artikkelen|filen|dokumentet|innholdet|produktet|annonsen|adressen"
        "|innlegget|traden|brukeren|profilen|gruppen|stillingen|boligen|objektet|videoen|lenken|sporsmalet|arrangementet|auksjonen|bildet|nyheten|meldingen|boken|kontoen|prosjektet|oppskriften",
        "ikke (?:funnet|a finne)|ble ikke funnet|finnes ikke|eksisterer ikke|fant ikke|finner ikke"
        "|fjernet|slettet|vart ikkje funne|finst ikkje"
        "|er (?:dessverre )?(?:slettet|utgatt|utløpt|avpublisert|avsluttet|solgt|inaktiv)|ikke lenger (?:tilgjengelig|aktiv|publisert)|er (?:borte|besatt|forsvunnet)",
    ),
    "da": (
        "podcasten|afsnittet|programmet|udsendelsen|serien|filmen|kortet|pakken|appen|kampagnen|udstillingen|billetten|afspilningslisten|sangen|skabelonen|kurset|galleriet|indsamlingen"
        "|jobannoncen|siden|side|artiklen|filen|dokumentet|indholdet|produktet|annoncen|adressen"
        "|indlægget|traden|brugeren|profilen|gruppen|stillingen|jobbet|boligen|emnet|videoen|linket|spørgsmalet|begivenheden|auktionen|billedet|nyheden|beskeden|bogen|kontoen|projektet|opskriften",
        "ikke (?:fundet|findes)|blev ikke fundet|findes ikke|eksisterer ikke|kunne ikke findes"
        "|fandt ikke|kan ikke finde|slettet|fjernet"
        "|er (?:desværre )?(?:slettet|udløbet|afsluttet|solgt)|ikke længere (?:tilgængelig|aktiv)|findes ikke laengere|er (?:forsvundet|besat|væk)",
    ),
    "fi": (
        "podcast\\w*|jaksoa?|ohjelmaa?|sarjaa?|elokuvaa?|karttaa?|pakettia?|sovellusta?|kampanjaa?|nayttelya?|lippua?|soittolistaa?|kappaletta?|kurssia?|reseptia?"
        "|sivu[an]?|sivustoa|artikkelia?|tiedostoa?|dokumenttia|sisaltoa?|tuote(?:tta)?|ilmoitus(?:ta)?"
        "|viestia?|ketjua?|kayttajaa?|profiilia?|ryhmaa?|tyopaikka\\w*|asunto\\w*|kohdetta?|videota?|linkkia?|kysymysta?|tapahtumaa?|huutokauppa\\w*|kuvaa?|uutista?|kirjaa?|tilia?|julkaisua?",
        "ei (?:valitettavasti )?(?:loyty|loydy|ole olemassa|ole enaa|voitu loytaa)|poistettu"
        "|on (?:valitettavasti )?(?:poistettu|vanhentunut|paattynyt|myyty|sulkeutunut)|ei enaa (?:ole )?(?:saatavilla|voimassa|myynnissa)|ei enaa ole|on (?:poistunut|taytetty|kadonnut)",
    ),
    "is": ("si[dð]an?|grein|skra", "fannst ekki|finnst ekki|ekki til|ekki fundin"),
    "et": (
        "lehekul[gj]\\w*|lehte?|artiklit?|faili|kuulutus\\w*|toode\\w*|teema\\w*|oksjon\\w*",
        "ei (?:leitud|leia|ole olemas|eksisteeri|ole (?:enam )?(?:saadaval|aktiivne))"
        "|on (?:kustutatud|eemaldatud|aegunud|suletud|lõppenud)|ei ole enam",
    ),
    "lv": (
        "lap[au]\\w*|rakstu?s?|faila?s?|sludinajum\\w*|lietotaj\\w*|tem[au]|prece|vakance|video",
        "ir (?:dzest|nonemt|beigusies)\\w*|vairs nav (?:pieejam|aktiv)\\w+|nav atrast|neeksiste|netika atrast|nevar atrast",
    ),
    "lt": (
        "puslapi\\w*|straipsni\\w*|fail\\w*|skelbim\\w*|vartotoj\\w*|tem[ao]|prek[eė]|darbo pasiulym\\w*|video",
        "(?:istrint|pasalint)\\w*|nebegaliojan\\w*|nebeparduodam\\w*|nebepasiekiam\\w*|nebeaktyv\\w*|nerast|neegzistuoja|nera rast|nepavyko rasti|nebera",
    ),
    "pl": (
        "petycj\\w+|podcast\\w*|odcin\\w+|audycj\\w+|program\\w*|serial\\w*|map\\w+|pakiet\\w*|aplikacj\\w+|kampani\\w+|wystaw\\w+|bilet\\w*|playlist\\w+|utwor\\w*|szablon\\w*|kurs\\w*|zbiork\\w+|ankiet\\w+"
        "|stron[aye]?|artyku\\w*|pliku?|dokumentu?|tresci|produktu?|oferta|og[lł]oszeni\\w*|adres|aukcj\\w+|prac\\w+"
        "|post\\w*|wat\\w*|uzytkownik\\w*|profil\\w*|grup\\w+|stanowisk\\w*|mieszkani\\w*|nieruchomosc\\w*|film\\w*|wideo|link\\w*|pytani\\w*|wydarzeni\\w*|zdjeci\\w*|wiadomosc\\w*|ksiazk\\w+|kont\\w+|projekt\\w*|przepis\\w*|kategori\\w+|material\\w*|wpis\\w*|plik\\w*",
        "nie (?:zosta[lł]a? )?(?:znalezion\\w+|istnieje|odnaleziono|mozna znalezc)|nie ma takie(?:j|go)"
        "|niedostepn\\w+|wycofan\\w+|usuniet\\w+|nie mozemy znalezc|wygas[lł]\\w*|nieaktualn\\w+|nieaktywn\\w+|zakonczon\\w+|nie jest (?:juz )?dostepn\\w+"
        "|zosta[lł][ay]? (?:usuniet|zakonczon|sprzedan|zarchiwizowan)\\w+|juz nie(?:dostepn\\w+|aktualn\\w+| istnieje)|znikne[lł][ay]?|obsadzon\\w+",
    ),
    "cs": (
        "petic\\w+|podcast\\w*|epizod\\w*|porad\\w*|serial\\w*|film\\w*|map\\w+|balic\\w+|aplikac\\w+|kampan\\w+|vystav\\w+|vstupenk\\w+|skladb\\w+|sablon\\w+|kurz\\w*|sbirk\\w+"
        "|strank\\w+|clan\\w+|soubor\\w*|dokument\\w*|obsah|produkt\\w*|inzerat|adres\\w+"
        "|prispev\\w+|vlakn\\w+|tem[au]|uzivatel\\w*|profil\\w*|skupin\\w+|pozic\\w+|nabidk\\w+|nemovitost\\w*|vide\\w+|odkaz\\w*|otazk\\w+|udalost\\w*|aukc\\w+|obrazek|zprav\\w+|knih\\w+|uct\\w+|projekt\\w*|recept\\w*|kategori\\w+",
        "nenalezen\\w*|nebyl[ao]? nalezen\\w*|neexistuj\\w+|nelze (?:na[jl]\\w+|zobrazit)"
        "|nenasl\\w+|nepodarilo na[jli]\\w+|nebyl[ao]? mozne najit|byl[ao]? (?:odstranen|smazan|vymazan|ukoncen|stazen)[aoy]?\\b|jiz neni (?:dostupn|aktivn|aktualn|v (?:nasi )?nabidc)\\w+"
        "|nebyl[aoy]? nalezen\\w*|(?:jiz|uz) neexistuj\\w+|(?:jiz |uz )?neni (?:jiz |uz )?(?:dostupn|aktivn|aktualn)\\w+|byl[ao]? prodan\\w*|jiz neni k dispozici|tu neni|zmizel\\w*|obsazen\\w*",
    ),
    "sk": (
        "strank\\w+|clan\\w+|subor\\w*|dokument\\w*|obsah|produkt\\w*|inzerat|ponuk\\w+|adres\\w+",
        "sa nenasl\\w+|nenajden\\w*|nebol[ao]? najden\\w*|neexistuj\\w+|nemozno najst|nepodarilo najst|bol[ao]? (?:odstranen|zmazan|vymazan|ukoncen|stiahnut)\\w*|(?:uz )?nie je (?:uz )?(?:dostupn|aktivn|aktualn|zverejnen|v ponuk)\\w+",
    ),
    "hu": (
        "peticio|podcast|epizod|adas|sorozat|film|terkep|csomag|alkalmazas|kampany|kiallitas|jegy|lejatszasi lista|dal|sablon|kurzus|tanfolyam"
        "|oldal\\w*|cikk|fajl|dokumentum\\w*|tartalom|termek|cim|hirdetes"
        "|bejegyzes\\w*|tema|felhasznalo\\w*|profil|csoport|allas\\w*|ingatlan|video|link|kerdes|esemeny|aukcio|kep|hir|konyv|fiok|projekt|recept|kategoria|ajanlat",
        "nem (?:talalhato|letezik|elerheto|talaltuk|talaljuk|talalt)|torolve|toroltek|megszunt"
        "|mar nem (?:letezik|elerheto|aktiv|kaphato)|lejart|eladva|eltavolitva|eltavolitottak|nincs meg|eltunt|betoltott\\w*",
    ),
    "ro": (
        "petitia|podcastul|episodul|emisiunea|serialul|filmul|harta|pachetul|aplicatia|campania|expozitia|biletul|melodia|sablonul|cursul"
        "|pagina|articolul|fisierul|documentul|continutul|produs(?:ul)?|anunt(?:ul)?|adresa"
        "|postarea|subiectul|utilizatorul|profilul|grupul|jobul|postul|imobilul|videoclipul|linkul|intrebarea|evenimentul|licitatia|imaginea|stirea|cartea|contul|proiectul|reteta|categoria|oferta",
        "nu (?:a fost |a putut fi |este )?(?:gasit\\w*|exista|disponibil\\w*)|negasit\\w*"
        "|inexistent\\w*|indisponibil\\w*|nu mai (?:este (?:disponibil|activ|valabil|in stoc|la vanzare)\\w*|exista|este)"
        "|a (?:fost )?(?:sters|stearsa|eliminat|eliminata|expirat|expirata|dezactivat|dezactivata|vandut|vanduta)|a disparut|a fost ocupat[a]?",
    ),
    "bg": (
        "страниц\\w+|стати\\w+|файл\\w*|документ\\w*|съдържани\\w+|продукт\\w*|обяв\\w+|тема\\w*|потребител\\w*|имот\\w*|работа\\w*|новин\\w+|профил\\w*|видео|въпрос\\w*",
        "не (?:е |беше |бе |може да бъде )?(?:намерен\\w*|открит\\w*|съществува|налич\\w+)|не бе"
        "|липсва|няма такава|(?:е|са) (?:изтрит|премахнат|изтекл|деактивиран)\\w*|вече не се (?:предлага|продава)\\w*|вече не (?:е|са) (?:налич|актив|актуал)\\w+",
    ),
    "ru": (
        "петици\\w+|подкаст\\w*|выпуск\\w*|передач\\w+|сериал\\w*|карт[аы]|пакет\\w*|приложени\\w+|кампани\\w+|выставк\\w+|билет\\w*|плеилист\\w*|трек\\w*|шаблон\\w*|курс\\w*|сбор\\w*|опрос\\w*"
        "|страниц\\w+|стать\\w+|файл\\w*|документ\\w*|материал\\w*|товар\\w*|объявлени\\w+|адрес\\w*"
        "|сайт\\w*|раздел\\w*|запис\\w+|новост\\w+|ваканси\\w+|видео|публикаци\\w+|тем[аыу]|элемент"
        "|вопрос\\w*|пост\\w*|ссылк\\w+|профил\\w+|пользовател\\w+|сообщени\\w+|групп\\w+|сообществ\\w+|канал\\w*|альбом\\w*|фото\\w*|книг\\w+|рецепт\\w*|фильм\\w*|игр[аыу]|событи\\w+|мероприяти\\w+|категори\\w+|проект\\w*|аккаунт\\w*|контент\\w*|резюме|лот\\w*|ресурс\\w*|папк\\w+|изображени\\w+",
        "нет так(?:ого|ои)|не (?:был[аои]? )?(?:наиден\\w*|найден\\w*|существует|обнаружен\\w*|доступн\\w+)|не удалось"
        " наити|удален[аоы]?\\b|отсутству[ею]т|больше не (?:доступ|существ)\\w+|снят[аоы]? с(?: публикации| продажи)?|нет$|недоступн\\w+|не наиде\\w+"
        "|был[аои]? (?:удален|перемещен|скрыт|снят)\\w*|более не (?:доступ|существ|актуал)\\w+|не актуальн\\w+|в архиве\\b|заблокирован\\w*|наити не удалось|деактивирован\\w*|удалил[аи]? сво[юе]\\w*|исчезл\\w*",
    ),
    "uk": (
        "петиці\\w+|подкаст\\w*|випуск\\w*|передач\\w+|серіал\\w*|карт[аи]|пакет\\w*|застосун\\w+|кампані\\w+|виставк\\w+|квит\\w+|трек\\w*|шаблон\\w*|курс\\w*|збір|опитуванн\\w+"
        "|сторінк\\w+|статт\\w+|фаил\\w*|документ\\w*|матеріал\\w*|товар\\w*|оголошенн\\w+|саит\\w*"
        "|запис\\w*|питанн\\w+|посиланн\\w+|профіл\\w+|користувач\\w*|повідомленн\\w+|груп\\w+|канал\\w*|фото\\w*|книг\\w+|рецепт\\w*|поді\\w+|категорі\\w+|проєкт\\w*|проект\\w*|вакансі\\w+|тем[аиу]|новин\\w+|адрес\\w*|розділ\\w*",
        "не (?:було )?(?:знаиден\\w*|існує|вдалося знаити|доступн\\w+)|відсутн\\w+|видален(?:а|о|ии)?\\b"
        "|нема(?:є)?|недоступн\\w+"
        "|було видален\\w*|більше не (?:доступ|існу)\\w+|не знаидено|неакт(?:уальн|ивн)\\w+|знято з публікації|деактивован\\w*|зникл\\w*",
    ),
    "be": ("старонк\\w+|артыкул\\w*|фаил\\w*", "не (?:знойдзен\\w*|існуе)|няма"),
    "sr": (
        "оглас\\w*|тем[ае]|корисник\\w*|објав\\w+|посао|некретнин\\w+|видео|вест|књиг\\w+|страниц\\w+|стран\\w+|чланак|фајл|документ\\w*|садржај",
        "није (?:пронађен\\w*|нађен\\w*|доступн\\w+)|не постоји|нисмо пронашли|не може",
    ),
    "mk": ("страниц\\w+|стран\\w+|документ\\w*", "не (?:е )?(?:пронајден\\w*|најден\\w*|постои)"),
    "hr": (
        "oglas\\w*|tem[ae]|korisnik\\w*|objav\\w+|posao|nekretnin\\w+|video|vijest|knjig\\w+|profil\\w*|stranic\\w+|stran\\w+|clanak|datotek\\w+|dokument\\w*|sadrzaj|proizvod\\w*|oglas\\w*",
        "ni(?:je|su) (?:pronaden\\w*|pronađen\\w*|naden\\w*|nađen\\w*|dostupn\\w+|moguce pronaci)"
        "|ne postoji|vise ni(?:je|su) (?:dostup|aktiv|aktual)\\w+|je (?:istekao|istekla|uklonjen|obrisan|izbrisan)\\w*|nismo pronasli|ne moze(?:mo)? (?:se )?pronaci|nema",
    ),
    "sl": (
        "stran\\w*|clan\\w+|datotek\\w+|dokument\\w*|vsebin\\w+|izdel\\w+|oglas\\w*|tem[ao]|objav\\w+|uporabnik|profil|zaposlitev|nepremicnin\\w+|video|povezav\\w+|dogodek|slik\\w+|novic\\w+|knjig\\w+",
        "ni (?:bila |bil |bilo )?(?:naiden\\w*|najden\\w*|mogoce naiti|mogoce najti)|ne obstaja"
        "|ni (?:vec )?(?:na voljo|aktiv\\w+|objavljen\\w*)|ne naidemo|ne najdemo|(?:je )?bil[ao]? (?:odstranjen|izbrisan|umaknjen)\\w*",
    ),
    "sq": ("faqja|faqe|artikulli|dokumenti", "nuk (?:u gjet|ekziston|gjendet|u gjend)"),
    "el": (
        "ψηφισμα|επεισοδιο|εκπομπη|σειρα|ταινια|χαρτης|πακετο|εφαρμογη|εκθεση|εισιτηριο|τραγουδι|μαθημα|συνταγη"
        "|σελιδα\\w*|αρθρο|αρχειο|εγγραφο|περιεχομενο|προιον|διευθυνση"
        "|αγγελια|αναρτηση|χρηστης|προφιλ|ομαδα|θεση|ακινητο|βιντεο|συνδεσμος|ερωτηση|εκδηλωση|δημοπρασια|εικονα|νεα|βιβλιο|λογαριασμος|κατηγορια|θεμα|στοιχειο",
        "δεν (?:βρεθηκε|υπαρχει|ειναι διαθεσιμ\\w+|εντοπιστηκε|μπορει)|δε βρεθηκε|δε(?:ν)? βρηκαμε"
        "|εχει (?:διαγραφει|αφαιρεθει|ληξει)|δεν ειναι πλεον|διαγραφηκε|αφαιρεθηκε|δεν υφισταται|απενεργοποιηθει|δεν υπαρχει πια|χαθηκε",
    ),
    "tr": (
        "dilekce|kampanya\\w*|podcast|bolum|program|dizi|film|harita|paket|uygulama|sergi|bilet|calma listesi|sarkı|sablon|kurs|ders|anket"
        "|sayfa\\w*|icerik|dosya\\w*|belge|makale|urun\\w*|ilan\\w*|adres"
        "|gonderi|konu|kullanıcı|profil|grup|pozisyon|daire|video|baglantı|link|soru|etkinlik|acık artırma|resim|haber|kitap|hesap|proje|tarif|kategori|is ilanı|mesaj|kanal",
        "bulunam\\w+|mevcut degil|yok\\b|bulunmuyor|bulamad\\w+|kaldırıldı|kaldırılmıs|silindi|silinmis|bulunmamakta"
        "|artık (?:mevcut|yayında|aktif|gecerli|satısta) degil|yayından kaldırıl\\w+|suresi (?:doldu|dolmustur)|sona er\\w+|satıldı|bulunamam\\w+|kapatıl\\w+|burada degil|yayında degil|yayından kaldırıl\\w*|dolmus\\w*",
    ),
    "az": (
        "sehife\\w*|səhifə\\w*|material|elan\\w*|məqalə|xəbər|istifadəci|mehsul|məhsul|video|vakansiya",
        "tapılmad\\w*|tapilmad\\w*|movcud deyil|mövcud deyil",
    ),
    "kk": ("бет\\w*|парак\\w*|құжат", "табылма\\w+|жок\\b|жоқ\\b"),
    "uz": ("sahifa\\w*|maqola", "topilmadi|mavjud emas"),
    "ar": (
        "العريضة|البودكاست|الحلقة|البرنامج|المسلسل|الفيلم|الخريطة|الحزمة|التطبيق|الحملة|المعرض|التذكرة|الدورة|الدرس|الوصفة|الاستطلاع"
        "|الصفح\\w+|صفح\\w+|المقال\\w*|الملف|المحتوى|المنتج|الرابط|الموقع|الاعلان|المستند"
        "|الوظيف\\w+|الموضوع|المستخدم|الفيديو|المنشور|الخبر|الصور\\w+|الكتاب|الحساب|المجموع\\w+|القناة|السؤال|العنصر|العقار|العرض|الحدث|التدوين\\w+|المشارك\\w+|الوثيق\\w+|المحتوي",
        "غير (?:موجود\\w*|متوفر\\w*|متاح\\w*)|لم (?:يتم|نتمكن من|نجد|نعثر|يعثر)|لا (?:توجد|يوجد|يمكن)"
        "|ليست? موجود\\w*|تعذر|محذوف\\w*|لم تعد"
        "|تم (?:حذف|ازال|اغلاق|الغاء)\\w*|انته(?:ي|ت|ى)\\w*|لم يعد|غير نشط|منتهي\\w*|تم (?:اغلاق|حذف|ازالة)",
    ),
    "he": (
        "ה?עצומה|ה?פודקאסט|ה?פרק|ה?תוכנית|ה?סדרה|ה?סרט|ה?מפה|ה?חבילה|ה?אפליקציה|ה?קמפיין|ה?תערוכה|ה?כרטיס|ה?שיר|ה?תבנית|ה?קורס|ה?שיעור|ה?סקר|ה?קטלוג"
        "|ה?דף|ה?עמוד|ה?קובץ|ה?מסמך|ה?כתבה|ה?תוכן|ה?מוצר|ה?אתר"
        "|ה?משרה|ה?נושא|ה?משתמש|ה?סרטון|ה?וידאו|ה?פוסט|ה?ידיעה|ה?תמונה|ה?ספר|ה?חשבון|ה?קבוצה|ה?ערוץ|ה?שאלה|ה?פריט|ה?נכס|ה?מודעה|ה?אירוע|ה?קישור|ה?מתכון",
        "לא (?:נמצא\\w*|קיים|קיימת|זמין|זמינה|ניתן|הצלחנו)|אינו (?:קיים|זמין|נמצא)|איננו|אינה"
        "|(?:הוסר|נמחק)\\w*|לא פעיל\\w*|כבר לא|אינה קיימת|לא נמצאה|פג תוקפ\\w+|אוישה|איננו|איננה",
    ),
    "fa": (
        "پادکست|قسمت|برنامه|سریال|فیلم|نقشه|بسته|اپلیکیشن|کمپین|نمایشگاه|بلیت|بلیط|اهنگ|آهنگ|دوره|درس|نظرسنجی|کارزار"
        "|صفحه\\w*|برگه|مطلب|فایل|محتوا|سند|کالا|محصول|ادرس|آدرس"
        "|اگهی|آگهی|پست|کاربر|پروفایل|گروه|شغل|ملک|ویدیو|ویدئو|لینک|سوال|پرسش|رویداد|تصویر|عکس|خبر|کتاب|حساب|دسته|موضوع|تاپیک|کانال|مقاله|پیوند",
        "(?:یافت|پیدا) (?:نشد|نمی\u200c?شود|نگردید)|وجود ندارد|موجود نیست|در دسترس نیست|نیافتیم"
        "|حذف (?:شد|شده|گردید)|منقضی|دیگر وجود|غیر ?فعال|پاک شده",
    ),
    "ur": ("صفحه|صفحہ|صفحات", "نہیں مل\\w*|نهیں مل\\w*|موجود نہیں|دستیاب نہیں"),
    "hi": (
        "पृष्ठ|पेज|लेख|फाइल|सामग्री|पोस्ट|वीडियो|विज्ञापन|उपयोगकर्ता|प्रोफ़ाइल|समाचार|चित्र|पुस्तक|खाता|प्रश्न|लिंक|नौकरी|उत्पाद",
        "नहीं मिल|नही मिल|मौजूद नहीं|उपलब्ध नहीं|नहीं मिला|हटा दिया|हटाया|हटा दी|समाप्त हो|अब उपलब्ध",
    ),
    "mr": ("पृष्ठ|पान", "सापडले नाही|आढळले नाही|सापडल|अस्तित्वात नाही"),
    "ne": ("पृष्ठ|पाना", "फेला परेन|भेटिएन"),
    "bn": ("পৃষ্ঠা|পাতা|পেজ", "পাওয়া যায়নি|পাওয়া যায়|পাওয়া যাচ্ছে না|নেই|খুঁজে পাওয়া"),
    "pa": ("ਪੰਨਾ|ਸਫ਼ਾ", "ਨਹੀਂ ਮਿਲਿਆ|ਮੌਜੂਦ ਨਹੀਂ"),
    "gu": ("પૃષ્ઠ|પાનું|પેજ", "મળ્યું નથી|મળ્યુ નથી|ઉપલબ્ધ નથી|અસ્તિત્વમાં નથી"),
    "ta": ("பக்கம்|பக்கத்தை|கோப்பு", "கிடைக்கவில்லை|காணப்படவில்லை|இல்லை|காணவில்லை"),
    "te": ("పేజీ|పుట", "కనుగొనబడలేదు|దొరకలేదు|లేదు|కనబడలేదు"),
    "kn": ("ಪುಟ|ಪುಟವು", "ಕಂಡುಬಂದಿಲ್ಲ|ಸಿಗಲಿಲ್ಲ|ಕಂಡುಬರಲಿಲ್ಲ"),
    "ml": ("പേജ്|താൾ|താള്", "കണ്ടെത്തിയില്ല|കണ്ടെത്താനായില്ല|നിലവിലില്ല|ലഭ്യമല്ല"),
    "si": ("පිටුව|පිටු", "හමු නොවී|සොයාගත නොහැක|හමු නොවුණි|හමුවී නැත"),
    "th": (
        "หน้า\\w{0,10}|เพจ|ไฟล์|บทความ|เอกสาร|สินค้า|โพสต์|กระทู้|ประกาศ|ผู้ใช้|โปรไฟล์|กลุ่ม|งาน|วิดีโอ|ลิงก์|คำถาม|กิจกรรม|รูปภาพ|ข่าว|หนังสือ|บัญชี|รายการ|ข้อมูล|เนื้อหา|ตำแหน่งงาน",
        "ไม่พบ|ไม่มี|ไม่ปรากฏ|ถูกลบ|หาไม่เจอ|ถูกลบ|ถูกนำออก|หมดอายุ|ปิดรับ|ไม่สามารถใช้ได้",
    ),
    "lo": ("ໜ້າ|ຫນ້າ", "ບໍ່ພົບ|ບໍ່ມີ"),
    "km": ("ទំព័រ", "រកមិនឃើញ|មិនមាន|រក.{0,12}មិនឃើញ"),
    "my": ("စာမျက်နှာ", "မတွေ့|မရှိ"),
    "vi": (
        "khoa hoc|podcast|tap phim|chuong trinh|phim|ban đo|goi|ung dung|chien dich|trien lam|ve|bai hat|mau|cong thuc|khao sat"
        "|trang|bai viet|tap tin|tai lieu|noi dung|san pham|lien ket|duong dan|địa chỉ"
        "|bai đang|chu đe|nguoi dung|ho so|nhom|viec lam|tin tuyen dung|bat đong san|video|cau hoi|su kien|hinh anh|tin|sach|tai khoan|danh muc|tin đang|tep|muc",
        "khong (?:tim thay|ton tai|con ton tai|co san|the tim)|khong duoc tim|đa bi xoa|đa bi go"
        "|đa (?:het han|đong|bi khoa|đuoc go|xoa|bi an)|khong con (?:ton tai|hieu luc|kha dung|hoat đong|nua|đuoc (?:ban|đang|rao)|kinh doanh|ban nua|tren (?:he thong|trang|website))|khong co san|khong kha dung",
    ),
    "id": (
        "halaman|laman|artikel|berkas|file|dokumen|konten|produk|alamat"
        "|postingan|topik|pengguna|profil|grup|lowongan|properti|video|tautan|pertanyaan|acara|gambar|berita|buku|akun|kategori|iklan|barang|kiriman|pautan|siaran|kandungan",
        "(?:tidak|tak) (?:dapat |bisa )?(?:ditemukan|ada\\b|tersedia|ditemui|wujud)|tidak dijumpai"
        "|telah dihapus|sudah dihapus"
        "|(?:telah|sudah) (?:berakhir|kedaluwarsa|ditutup|tidak (?:aktif|tersedia)|terjual|dipadam\\w*)|tidak lagi (?:tersedia|aktif|wujud)|kedaluwarsa",
    ),
    "tl": ("pahina|artikulo", "hindi (?:natagpuan|nahanap|matagpuan|makita|umiiral)|wala"),
    "sw": ("ukurasa", "haukupatikana|haupatikani|haujapatikana|haupo|haipatikani"),
    "ko": (
        "청원\\w*|팟캐스트\\w*|에피소드\\w*|방송\\w*|프로그램\\w*|영화\\w*|지도\\w*|패키지\\w*|앱\\w*|캠페인\\w*|전시\\w*|티켓\\w*|재생목록\\w*|강의\\w*|강좌\\w*|레시피\\w*|설문\\w*"
        "|페이지\\w*|문서\\w*|게시물\\w*|게시글\\w*|파일\\w*|주소\\w*|상품\\w*|자료\\w*|사이트\\w*|콘텐츠\\w*|기사\\w*|채용\\w*"
        "|공고\\w*|영상\\w*|동영상\\w*|매물\\w*|글\\w*"
        "|공지\\w*|댓글\\w*|사용자\\w*|회원\\w*|프로필\\w*|그룹\\w*|카페\\w*|블로그\\w*|뉴스\\w*|이미지\\w*|책\\w*|계정\\w*|질문\\w*|이벤트\\w*|항목\\w*|정보\\w*|링크\\w*|페이지",
        "(?:(?:판매 ?(?:중지|중단|종료)|진열 ?중지|품절|단종|삭제|변경|이동|만료|마감|종료) ?(?:되었|됐|되)거나 )?(?:찾을 수 없\\w*|찾지 못\\w*|존재하지 않\\w*|삭제(?:된|되었)\\w*|없습니다|없는|사라졌\\w*|종료(?:된|되었)\\w*"
        "|마감(?:된|되었)\\w*)"
        "|(?:판매|게시|서비스)\\w{0,4} ?(?:종료|중지|중단)(?:된|되었|됐)\\w*|만료(?:된|되었)\\w*|비활성화(?:된|되었)\\w*|삭제한|마감된|종료된|없거나 (?:이동|삭제)\\w*",
    ),
    "ja": (
        "署名(?:ページ)?|ポッドキャスト|エピソード|シリーズ|映画|地図|パッケージ|アプリ|キャンペーン|展覧会|チケット|プレイリスト|楽曲|テンプレート|講座|コース|アンケート"
        "|ページ|お探しの|ファイル|記事|コンテンツ|商品|url|サイト|アドレス|サービス|求人(?:情報)?|オークション|動画"
        "|募集|投稿|作品|物件|質問|トピック|出品"
        "|案件|広告|ニュース|ユーザー|アカウント|プロフィール|グループ|コミュニティ|画像|写真|本|書籍|イベント|レシピ|ブログ|スレッド|番組|資料|データ|情報|アルバム|口コミ|施設|店舗|宿|チャンネル",
        "見つかりません(?:でした)?+|(?:(?:掲載|公開|販売|募集)[をは]?)?+終了(?:しました|いたしました|しております|しています)"
        "|削除され(?:ました|ています)|存在しません(?:でした)?+|ありません(?:でした)?+|存在しません|見つけることができません"
        "|削除されま|終了しま|みつかりません|見当たりません|存在しない|公開されていません|取り扱(?:って|いして)おりません|公開を終了|販売を?終了|ございません"
        "|削除されております|(?:掲載|公開|販売|受付|配信|募集)期間?[がはを]?終了|(?:は|が)?ございません|退会(?:しました|されました|済み)|非公開(?:です|になりました|に設定)|存在していません|見つけられません|ご利用いただけません|締め切りました",
    ),
    "zh": (
        "请愿|連署|播客|节目|節目|剧集|劇集|电影|電影|地图|地圖|软件包|应用|應用|展览|展覽|门票|門票|歌单|歌單|歌曲|模板|菜谱|食譜|问卷|問卷"
        "|页面|网页|頁面|網頁|文章|文件|内容|內容|商品|网址|網址|链接|連結|资源|資源|您访问的|您訪問的"
        "|帖子|信息|服务|服務|站点|站點|职位|職位|宝贝|寶貝|视频|視頻|影片|主题|主題|用户|用戶|房源|稿件"
        "|话题|話題|群组|群組|频道|頻道|图片|圖片|书籍|書籍|账号|帳號|问题|問題|活动|活動|项目|項目|公告|新闻|新聞|广告|廣告|博客|部落格|微博|笔记|回答|专栏|專欄|店铺|店鋪|课程|課程|岗位|崗位|词条|條目|数据|資料|记录|紀錄|作品|小说|直播",
        "(?:不存在|未找到|找不到|没有找到|沒有找到|无法找到|無法找到|已(?:被)?(?:删除|刪除|移除|下架)"
        "|不见了|不見了|走丢了|飞走了|无法访问|已失效|已过期|已经?下线|已结束|已被.{1,8}(?:删除|刪除)|去哪了)"
        "(?:[,、]?或者?(?:已经?|已經)?被?(?:不存在|删除|刪除|移除|下架|关闭|關閉|屏蔽|隐藏|隱藏|移动|移動|(?:正在)?被?审核中?)){0,4}"
        "|(?:已|被)(?:作者|发布者|用户|管理员|系统)?(?:自行)?(?:删除|刪除|移除|下架|隐藏|隱藏|屏蔽)|已(?:经)?(?:售出|关闭|關閉|撤下|撤回|失效|作废|停用|注销|註銷)|暂不存在|查无此|查無此|沒有此|没有此|无此|已?停止(?:招聘|销售)",
    ),
    "ca": (
        "pagina|article|fitxer|document|contingut|producte|adreca",
        "no (?:s'ha |s'ha pogut )?(?:trobat|trobada|trobar|existeix|disponible)|no trobad[ao]"
        "|no s'ha trobat",
    ),
    "eu": (
        "orri[ae]\\w*|orrialde\\w*|artikulu\\w*|ez da",
        "ez da (?:\\w+ )?(?:aurkitu|existitzen)|ez dago|aurkitu|existitzen",
    ),
    "gl": (
        "paxina|artigo|ficheiro|documento",
        "non (?:se )?(?:atopad[oa]|atopou|existe|encontrad[oa])",
    ),
    "oc": ("pagina", "pas trobada|existis pas"),
    "cy": (
        "tudalen|dudalen|ffeil",
        "ni chanfuwyd y|heb (?:ei )?(?:ganfod|chanfod|darganfod)|ddim yn bodoli|(?:nid|nad) yw",
    ),
    "ga": (
        "leathanach\\w*|an leathanach",
        "ni bhfuarthas|nior (?:aimsi\\w+|frith\\w+)|gan aimsiu|ann an|ni ann",
    ),
    "gd": ("duilleag\\w*", "cha deach|lorg"),
    "br": ("[pb]ajenn", "n'eo ket bet kavet|ket kavet|n'eus ket"),
    "lb": ("sait|sait[e]?|siten?", "net fonnt|gett et net"),
    "mt": ("pagna|pagina|paġna", "ma nstabitx|ma instabitx|ma tezistix"),
    "eo": ("pago|paĝo", "ne trovita|ne trovebla|ne ekzistas"),
    "la": ("pagina", "non inventa|non repperta|non exstat"),
    "ka": (
        "გვერდი|სტატია|განცხადება|პროდუქტი|მომხმარებელი|ფაილი|ვიდეო|ვაკანსია|თემა",
        "წაშლილია|აღარ არსებობს|ვერ მოიძებნა|არ მოიძებნა|არ არსებობს|ვერ იქნა",
    ),
    "hy": (
        "էջ\\w*|հայտարարությ\\w+|հոդված\\w*|օգտատ\\w+|ապրանք\\w*|ֆայլ\\w*|նյութ\\w*",
        "հեռացված|գտնված չէ|ջնջված|չի գտնվել|չգտնվեց|գոյություն չունի|չկա",
    ),
    "am": ("ገጽ\\w*|ገጹ", "አልተገኘም|የለም"),
    "mn": ("хуудас", "олдсонгуи|олдсонгүи|байхгуи|байхгүй"),
    "so": ("bogga", "lama helin|ma jiro"),
    "zu, xh": ("ikhasi|iphepha", "alitholakali|alitholakalanga|alifunyenwanga|alikho"),
    "ha": ("shafi[n]?", "ba a sami|babu"),
    "fo": ("si[dð]an?", "varð ikki funnin|er ikki funnin|finst ikki"),
    "fy": ("side", "net (?:fun|te finen)|bestiet net"),
    "ky": ("барак\\w*|бет", "табылган жок|табылмады|табылманы|жок"),
    "tt, ba": ("бит", "табылмад\\w+|табылман\\w+"),
    "tg": ("сахифа\\w*|саҳифа\\w*", "ефт нашуд|ёфт нашуд|вучуд надорад|вуҷуд надорад"),
    "tk": ("sahypa", "tapylmady|yok"),
    "ps": ("پاڼه|پاڼ[هې]", "ونه موندل شوه|نشته"),
    "ku": ("rupel\\w*", "nehat ditin|nine"),
    "ckb": ("پەڕە\\w*|لاپەڕە\\w*", "نەدۆزرایەوە|بوونی نییە"),
    "or": ("ପୃଷ୍ଠା|ପେଜ୍", "ମିଳିଲା ନାହିଁ|ନାହିଁ"),
    "as": ("পৃষ্ঠা", "পোৱা নগ'ল|নাই"),
    "rm": ("pagina", "betg (?:chattada|avant maun)|n'exista betg"),
    "yi": ("בלאט|זייט", "נישט געפונען|עקזיסטירט נישט"),
    "jv, su": ("kaca", "ora ditemokake|ora ana|teu kapendak|teu aya"),
    "ceb": ("panid", "wala makit-?i|wala"),
    "mi": ("wharangi", "kaore i kitea"),
    "mg": ("pejy", "tsy hita"),
    "ht": ("paj la", "pa jwenn|pa egziste"),
}

# Statements that count only as a whole title or heading.
_ALONE = (
    r"(?:the )?file (?:link )?(?:that )?you requested is not valid|invalid or deleted file|invite invalid"
    r"|unable to open the file(?: at this time)?|(?:sorry, )?unable to open the file(?: at this time)?"
    r"|(?:it )?looks like (?:this|that) page is missing|(?:sorry, )?that content is unavailable"
    r"|вакансия (?:уже )?закрыта|вакансію (?:вже )?закрито|你(?:似乎)?来到了没有知识(?:存在)?的荒原|٤٠٤|۴۰۴|khong ton tai|nie istnieje|existiert nicht|n'existe pas|no existe|nao existe|non esiste|bestaat niet|finns inte|findes ikke|finnes ikke|не существует|не існує|mevcut degil|存在しません|존재하지 않습니다|不存在|غير موجود|לא קיים|お探しの動画は視聴できません|(?:hmm\W{0,3})?this page does ?n'?t exist\W{1,3}try searching for something else",
    r"(?:http (?=status|error))?(?:status |error |erreur |fehler |errore? |erro |fout |feil |fejl |virhe |hiba |chyba "
    r"|blad |hata |ошибка |помилка |грешка |eroare |lỗi |loi |エラー|错误 ?|錯誤 ?|오류 ?|σφαλμα )?"
    r"(?:code )?[:#-]? ?(?:404|410)(?:\.\d)?(?: error| page| fehler| seite| erreur| \(?not found\)?[!1]*)?",
    r"(?:404|410) ?[:|.–—-]+ ?(?:error|page|seite|not found|gone|ops|oops)",
    r"(?:object |page )?not found|nothing (?:was )?(?:found|here)(?: (?:for|at) .{1,100})?|something(?:'s| is) missing|nicht gefunden",
    r"there(?:'s| is) nothing here|nothing to see here|gone|410 gone|error|page error|fehler",
    r"no such (?:page|file|article|document|item|user|thread|topic|record|product|post|entry|job)",
    r"(?:invalid|broken|dead|bad|missing|expired|unknown|wrong) (?:url|link|address|id|page|article"
    r"|document|item|thread|topic|file|record|product|request|identifier|handle|user|post|key|token|invite)"
    r"(?: specified| id)?",
    r"no (?:article|document|item|thread|topic|file|record|page|product|post|entry|results?|input file)"
    r" (?:was |were )?(?:specified|found|exists?|selected|available)",
    rf"(?:this |that |the )?{THINGS} (?:is |was |has been |currently |temporarily )?(?:missing"
    r"|unavailable|deleted|removed|withdrawn|expired|gone|closed|suspended|disabled|terminated)",
    r"introuvable|no encontrad[oa]|nao encontrad[oa]|non trovat[oa]|niet gevonden|hittades inte"
    r"|ikke funnet|ikke fundet|ei loytynyt|nie znaleziono|nenalezeno|nenajdene|nem talalhato"
    r"|не наиден[оа]?|не знаидено|bulunamadı|khong tim thay|tidak ditemukan|δεν βρεθηκε",
    r"oops[!.]? (?:something (?:went|is) (?:missing|wrong))|something went missing"
    r"|you(?:'re| are| seem to be| look) lost|lost\?|are you lost\?|dead end|uh[ -]?oh",
    r"(?:the )?(?:requested )?(?:url|page)(?: .{0,200})? was not found on this server",
    r"(?:this )?(?:content|page) is(?: not|n't) available(?: right now| at the moment)?",
    r"(?:アクセス|サービス終了|公開終了|掲載終了)(?:の?お知らせ)?|(?:ホームページ)?サービスは?終了(?:しました|のお知らせ)",
)


# Statements that nothing was found. A search without results says the same, so they do not count if
# the requested URL is that of a search.
_NOTHING = (
    r"nothing (?:was )?found|nichts gefunden|rien (?:n'a ete )?trouve|(?:no se )?(?:ha )?(?:encontrado|encontro) nada|nada encontrado"
    r"|(?:non (?:e stato|abbiamo) )?trovato nulla|niets gevonden|niczego nie znaleziono|nic nie znaleziono|nic (?:nebylo )?nalezeno"
    r"|ничего не наидено|нічого не знаидено|hicbir sey bulunamadı|לא נמצא דבר|لم يتم العثور على (?:شيء|نتائج)"
)
# Messages of a search without results; they do not say whether the page exists.
_NO_HITS = (
    r"no (?:results?|records?|match(?:es)?|hits|items|products) (?:was |were )?found|keine? (?:ergebniss?e?|treffer|resultate)"
    r"|aucun (?:resultat|enregistrement)|(?:sin|ningun|no se (?:han? )?encontr(?:aron|ado)) (?:ningun )?(?:resultados?|registros?)"
    r"|nenhum (?:resultado|registro)|nessun (?:risultato|record)|geen (?:resultaten|treffers)|brak wynikow|inga (?:resultat|traffar)"
    r"|ingen (?:resultater|treff)|ei (?:haku)?tuloksia|zadne vysledky|nincs talalat|niciun rezultat|нет результатов|немає результатів"
    r"|sonuc bulunam|(?:没有|沒有|未)(?:找到)?(?:相关|相關)?(?:结果|結果)|(?:検索)?結果(?:が|は)?(?:見つかりません|ありません)"
    r"|검색 ?결과가 없|khong (?:tim thay|co) ket qua|tidak ada hasil|لا توجد نتائج|לא נמצאו תוצאות"
)
# Phrases that count anywhere on a page with little text.
_TEXTS = (
    rf"(?:the|this|that) {THINGS} (?:that )?(?:you(?:'re| are| were|'ve| have)?|it) .{{0,30}}?(?:looking for"
    r"|requested|trying to (?:reach|access|view)|followed) .{0,60}?(?:n'?t (?:be |seem to )?(?:found"
    r"|exist|available|here)|not (?:be )?(?:found|exist|available|here)|no longer|been (?:removed|moved"
    r"|deleted)|(?:removed|moved|deleted|unavailable))",
    r"in dies(?:er|em) wiki ist derzeit kein text auf dieser seite|aucun texte sur cette page|actualmente no hay texto"
    r"|(?:ha |has )?been removed by the agent|was ended by the seller|to be either missing or off limits"
    r"|(?:question|thread|video|listing) was (?:voluntarily )?removed by (?:its|the) \w{1,20}"
    r"|this (?:form|survey) is no longer accepting responses|指定されたページは存在しないか",
    rf"there is currently no text in this page|invalid {THINGS} specified|no {THINGS} specified|the specified {THINGS} (?:was|is) not",
    rf"(?:requested|specified) {THINGS} (?:was not|could not|cannot|can't|does not|doesn't|is not|isn't|has been)",
    r"die (?:von ihnen )?(?:gesuchte|angeforderte|aufgerufene) (?:seite|datei|adresse)",
    r"la page (?:que vous (?:recherchez|cherchez|demandez)|demandee) (?:n'|est introuvable|a ete)",
    r"la pagina (?:que (?:busca|buscas|esta buscando|intenta)|solicitada).{0,30} no ",
    r"a pagina (?:que (?:voce )?(?:procura|esta procurando|busca)|solicitada) nao",
    # vBulletin, for an unknown id: "If you followed a valid link, please notify …"
    r"(?:valid link|gultigen link|lien valide|enlace valido|link valido|geldige link)[^.]{0,50}?(?:notif|administra|amministra|webmaster|beheerder)",
    r"(?:запрашиваем|запрошенн|искомая)\w* страниц\w+ .{0,20}(?:не |удален)|お探しのページは",
)
# The whole title or heading of a login page.
_LOGIN = (
    r"(?:please )?(?:log ?-?in|sign ?-?in|log ?on|login page|member login|account login|user login)"
    r"(?: to (?:your account|continue)| required)?|anmelden|anmeldung|einloggen|connexion"
    r"|se connecter|identifiez-vous|iniciar sesion|acceder|entrar|fazer login|accedi|inloggen"
    r"|aanmelden|logga in|logg inn|log ind|kirjaudu(?: sisaan)?|zaloguj(?: sie)?|logowanie"
    r"|prihlaseni|prihlasit se|prihlasenie|bejelentkezes|autentificare|conectare|giris(?: yap)?"
    r"|oturum ac|prijava|вход|воити|войти|авторизация|увіити|вхід|συνδεση|تسجيل الدخول|כניסה"
    r"|התחברות|ورود|로그인|ログイン|登录|登入|登錄|เข้าสู่ระบบ|đang nhap|masuk|log masuk"
    # "Login required"
    r"|(?:anmeldung|login) (?:erforderlich|notwendig|notig)|(?:connexion|authentification|identification) (?:requise|necessaire|obligatoire)"
    r"|(?:es )?necesario (?:iniciar sesion|identificarse|autenticarse)|(?:autenticacion|identificacion) (?:requerida|necesaria)"
    r"|(?:autenticacao|identificacao) (?:necessaria|requerida)|(?:accesso|autenticazione|login) (?:necessari|richiest)[oa]"
    r"|(?:aanmelden|inloggen) (?:verplicht|vereist|noodzakelijk)|inloggning kravs|(?:innlogging|log ?ind|login) (?:er )?(?:pakraevet|pakrevd|kreves|nødvendig)"
    r"|kirjautuminen vaadit\w*|wymagane (?:zalogowanie|logowanie)|(?:je )?vyzadovano prihlaseni|bejelentkezes szukseges|autentificare necesara"
    r"|(?:требуется|необходим[ао]?) (?:вход(?: в систему)?|авторизация|авторизоваться|воити)|(?:потрібен|необхідний) вхід|(?:giris|oturum acma) gerekli"
    r"|ログインが必要(?:です)?|需要登(?:录|錄|入)|로그인 ?필요"
)


def _is_combining(character: str) -> bool:
    return unicodedata.category(character) == "Mn"


# Combining marks: above, below and within letters.
_COMBINING = re.compile(f"[{''.join(filter(_is_combining, map(chr, range(0x300, 0x10000))))}]+")


def fold(text: str) -> str:
    """Return the text in lower case and NFKD form, without combining marks.

    All apostrophes get the same form.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).lower()
    return _COMBINING.sub("", folded)


def alphanumerics_of(text: str) -> str:
    """Return the letters and digits of text, folded: URLs separate words with other characters."""
    return "".join(filter(str.isalnum, fold(text)))


def _statement_pattern(things: str, statement: str, statement_before: str = "") -> re.Pattern[str]:
    things, statement, before = map(fold, (things, statement, statement_before or statement))
    things, statement, before = map(group_by_first_letter, (things, statement, before))
    gap = f".{{0,{_MAX_GAP}}}?"
    return compile_folded(rf"(?:{things}){gap}(?:{statement})|(?:{before}){gap}(?:{things})")


def compile_folded(folded: str) -> re.Pattern[str]:
    """Return the compiled pattern of folded words.

    `\\w*` and `\\w+` become possessive and match at most 30 characters.
    """
    folded = group_by_first_letter(folded)
    return re.compile(folded.replace(r"\w*", r"\w{0,30}+").replace(r"\w+", r"\w{1,30}+"))


# An escape, a set of characters, or any other character of a pattern.
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]|.", re.DOTALL)
_LETTER_FIRST = re.compile(r"\w(?![?*+{])")


def group_by_first_letter(pattern: str) -> str:
    """Return an equivalent pattern that tests the first letter of its alternatives only once.

    `re` tries every alternative at every position, so the time grows with their number.
    Alternatives with different first letters exclude each other, so their order does not matter.
    """
    grouped: list[str] = []
    # The tails of alternatives by first letter, since the last alternative without such a letter.
    tails: dict[str, list[str]] = {}
    for alternative in [*_alternatives(pattern), None]:
        if alternative and _LETTER_FIRST.match(alternative):
            tails.setdefault(alternative[0], []).append(alternative[1:])
            continue
        grouped += (
            f"{letter}(?:{'|'.join(rest)})" if len(rest) > 1 else letter + rest[0]
            for letter, rest in tails.items()
        )
        tails.clear()
        if alternative is not None:
            grouped.append(alternative)
    return "|".join(grouped)


def _alternatives(pattern: str) -> list[str]:
    """Split a pattern at each `|` that is not in a group."""
    depth, parts = 0, [""]
    for piece in _PIECE.findall(pattern):
        depth += (piece == "(") - (piece == ")")
        if piece == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


# In the folded form. One pattern per language, because a match in one language could hide one in
# another.
STATEMENTS = tuple(_statement_pattern(*parts) for parts in _LANGUAGES.values())
ALONE = compile_folded(fold("|".join((*_ALONE, _NOTHING))))
NOTHING = compile_folded(fold(f"{_NOTHING}|{_NO_HITS}"))
LOGIN = compile_folded(fold(_LOGIN))
TEXTS = compile_folded(fold("|".join(_TEXTS)))
