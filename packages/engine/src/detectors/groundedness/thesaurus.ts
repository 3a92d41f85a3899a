// Words of one meaning, and their opposites: what tells a paraphrase from a contradiction. One line is a meaning; after `|` stands
// its opposite. Forms that the stemmer takes for one word are listed once; irregular ones are listed.

/** Lines of `words` or `words | opposite words`, lower case, single words. A word may stand in several lines. */
export const THESAURUS = `
increase rise rose risen grow grew grown growth climb climbed surge surged soar augment boost gain expand expansion escalate jump uptick upturn raise raising elevate heighten | decrease decline fall fell fallen drop reduce reduction shrink shrank shrunk lower lessen diminish dwindle plunge plummet slump slide downturn dip cut curtail
high higher highest elevated tall | low lower lowest
more greater additional extra further | less fewer
most majority mainly mostly largely primarily predominantly chiefly | few minority least little rarely
all every each whole entire total | none no nothing nobody partial
always constantly consistently invariably perpetually | never seldom rarely sometimes occasionally
often frequently regularly commonly usually typically generally normally | rarely seldom infrequently uncommonly
many numerous several multiple various countless | few handful scarce
big bigger biggest large larger largest huge massive enormous vast substantial sizeable sizable considerable giant extensive | small smaller smallest little tiny minor slight negligible modest minimal
maximum maximal maximize peak utmost | minimum minimal minimize
good great excellent positive favorable favourable beneficial strong superb | bad poor negative unfavorable unfavourable adverse terrible awful harmful weak
better superior improved best | worse inferior worst
improve enhance improvement enhancement upgrade strengthen refine better advance optimize | worsen deteriorate degrade impair weaken undermine harm damage
strong strength robust powerful solid sturdy stout | weak weakness fragile feeble frail
fast quick rapid swift speedy prompt quickly faster | slow sluggish gradual slowly slower
accelerate quicken expedite hasten speed | decelerate slow delay hinder impede
early earlier premature beforehand prior before previous previously former formerly | late later after afterwards subsequent subsequently following
first initial original beginning opening inaugural primary | last final ultimate closing concluding
begin began begun start commence launch initiate inaugurate open onset kick | end finish conclude stop cease terminate halt close discontinue complete
new novel fresh latest recent modern contemporary innovative | old ancient outdated obsolete aged former traditional
create build built construct make made establish found develop form produce generate craft | destroy demolish ruin dismantle abolish
continue persist maintain sustain keep kept remain stay retain preserve proceed | stop cease discontinue abandon quit halt
include including contain comprise encompass incorporate feature involve cover | exclude excluding omit except without
add addition append insert attach | remove removal delete subtract eliminate drop omit
accept agree approve consent endorse adopt embrace concur | reject refuse decline deny disapprove disagree oppose object
allow permit enable let authorize authorise license grant | forbid forbade prohibit ban bar prevent disallow block restrict
support back favor favour advocate champion endorse promote | oppose resist reject against criticize undermine discourage
help assist aid support facilitate serve | hinder hamper obstruct impede hurt
win won victory triumph victorious winning | lose lost loss defeat defeated losing
succeed success successful successfully achieve accomplish | fail failure unsuccessful unsuccessfully failed
buy bought purchase acquire acquisition procure obtain | sell sold sale selling divest
lend lent loan | borrow borrowed
give gave given provide supply deliver offer grant donate furnish | take took taken withhold receive
send sent dispatch ship transmit deliver mail | receive received get got
import imported | export exported
arrive arrival come came reach enter entered land | leave left depart departure exit
join joined enter enrol enroll | leave quit resign withdraw withdrew
love adore like enjoy fond cherish | hate dislike despise loathe detest
happy glad pleased delighted joyful satisfied content excited thrilled cheerful | unhappy sad upset displeased miserable dissatisfied disappointed angry
interested keen eager enthusiastic willing curious inclined | uninterested reluctant unwilling indifferent hesitant disinterested
easy simple straightforward effortless uncomplicated easily | difficult hard complex complicated challenging tough demanding
possible feasible viable able capable can achievable | impossible infeasible unable incapable cannot unachievable
likely probable probably expected | unlikely improbable
certain sure definite definitely confident certainly undoubtedly | uncertain unsure doubtful possibly
true correct right accurate accurately exact precise proper valid truthful | false incorrect wrong inaccurate inexact imprecise mistaken invalid untrue
safe secure protected safety | dangerous unsafe hazardous risky perilous insecure danger
legal lawful legitimate permitted | illegal unlawful illicit
public open | private closed
free complimentary gratis | paid costly
cheap affordable inexpensive economical budget low | expensive costly pricey premium unaffordable
rich wealthy affluent prosperous | poor impoverished needy destitute
profit gain earnings surplus profitable | loss deficit unprofitable
asset | liability
revenue income sales turnover proceeds | cost expense expenditure spending
credit | debit
full complete entire total fully completely entirely totally whole | empty partial incomplete partially partly
near close nearby adjacent next | far distant remote
inside within internal inner indoor indoors | outside external outer outdoor outdoors
above over exceed exceeding beyond surpass upward top | below under beneath underneath downward bottom
up upward upwards | down downward downwards
north northern | south southern
east eastern | west western
left | right
front forward ahead | back backward behind rear
long lengthy extended prolonged | short brief concise
extend lengthen prolong | shorten curtail truncate abbreviate
wide broad wider broader | narrow narrower limited
deep profound | shallow superficial
thick dense | thin sparse slim
heavy heavier weighty | light lighter lightweight
hot warm heated warmer hotter | cold cool chilly cooler colder freezing
wet damp moist humid | dry arid
bright light luminous brilliant | dark dim dull
loud noisy | quiet silent
hard firm rigid stiff | soft flexible supple
clean pure | dirty polluted contaminated
clear obvious evident apparent plain transparent explicit | unclear vague ambiguous obscure opaque
known famous renowned popular celebrated noted prominent | unknown obscure unpopular
common widespread prevalent ordinary usual typical normal standard regular | rare uncommon unusual abnormal atypical irregular exceptional
similar alike comparable same identical equal equivalent analogous resembling | different dissimilar distinct unlike unequal contrasting various
same | different opposite
single sole one only lone individual alone | multiple several many joint both
together jointly collectively combined | separately apart individually alone
join connect link unite combine merge attach couple | separate divide split disconnect detach disjoin
important significant crucial vital essential key critical major principal main fundamental pivotal | unimportant insignificant trivial minor negligible secondary
necessary required needed essential mandatory compulsory obligatory need | unnecessary optional voluntary needless
useful helpful valuable beneficial practical handy | useless unhelpful worthless
effective efficient productive efficacious | ineffective inefficient unproductive
active busy | inactive idle passive dormant
present attend attended existing exist | absent missing lacking
available accessible obtainable | unavailable inaccessible
visible seen apparent | invisible hidden unseen
alive living live lives | dead deceased extinct
birth born | death died die dead
young youthful younger junior | old elderly older senior
male man men boy boys masculine his him he | female woman women girl girls feminine her she
father dad | mother mom mum
son | daughter
brother | sister
husband | wife
king | queen
domestic national home internal local | foreign international overseas abroad global
local regional | global worldwide international universal
urban city metropolitan | rural countryside
day daytime daylight | night nighttime
morning | evening
summer | winter
spring | autumn
war conflict battle fighting | peace truce ceasefire
attack assault strike invade offensive | defend protect guard defense defence
friend ally partner companion | enemy foe rival opponent adversary
guilty culpable | innocent
arrest detain capture jail imprison | release free freed
accuse charge blame allege | acquit exonerate clear
conservative | liberal progressive
democratic | authoritarian autocratic
optimistic hopeful upbeat bullish | pessimistic gloomy bearish
stable steady constant consistent unchanged flat | unstable volatile fluctuating erratic inconsistent
predictable | unpredictable
reliable dependable trustworthy consistent | unreliable undependable inconsistent
natural organic | artificial synthetic
manual manually | automatic automatically automated
static fixed | dynamic variable
supervised | unsupervised
linear | nonlinear
labeled labelled annotated | unlabeled unlabelled
online | offline
upper | lower
major | minor
offense offensive | defense defensive
positive positively | negative negatively
directly direct | indirectly indirect
explicitly explicit | implicitly implicit
discrete | continuous
sufficient enough adequate ample sufficiently | insufficient inadequate lacking
appropriate suitable fitting proper apt | inappropriate unsuitable improper
satisfied | dissatisfied unsatisfied
aware conscious informed | unaware ignorant oblivious
encourage motivate inspire urge | discourage deter dissuade
praise commend applaud compliment laud | criticize criticise condemn censure
polite courteous respectful kind | rude impolite disrespectful mean
brave courageous bold | cowardly timid afraid
calm relaxed | anxious nervous agitated stressed
ahead before | behind
advantage benefit pro merit upside strength | disadvantage drawback con downside shortcoming
agree agreement consensus | disagree disagreement dispute
ability capability capacity skill talent | inability incapacity
confirm verify verification validate substantiate substantiation corroborate affirm proof prove demonstrate | deny refute disprove contradict dispute
reveal disclose expose unveil show uncover announce | hide hid hidden conceal cover withhold
remember recall recollect | forget forgot forgotten
teach taught instruct educate train | learn learned learnt study
ask inquire query request question | answer reply respond response
employ hire recruit engage | fire dismiss sack layoff
save conserve | waste squander spend
spend spent | save saved earn
open opened opening | close closed closing shut
win | tie
upstream | downstream
horizontal | vertical
maximal | minimal
ascend | descend
inhale | exhale
inflation | deflation
tighten | loosen relax ease
simplify streamline | complicate
strengthen reinforce fortify | weaken
overestimate overstate exaggerate | underestimate understate
outperform exceed surpass beat outpace | underperform lag trail
attract draw appeal | repel deter
pass passed | fail failed
exclusive exclusively only solely | inclusive
temporary temporarily interim provisional | permanent permanently lasting
voluntary voluntarily | mandatory compulsory
formal formally official | informal informally unofficial
rational logical | irrational illogical
relevant pertinent | irrelevant
responsible accountable | irresponsible
complete completed finish finished done | incomplete unfinished ongoing
resolved solved fixed | unresolved unsolved
healthy well fit | unhealthy ill sick unwell
vegetarian vegan | meat
say said state stated tell told mention remark note report declare announce claim assert explain describe speak spoke comment
think thought believe consider feel felt suppose assume reckon opinion view
show showed shown display exhibit demonstrate illustrate indicate reveal present
use used utilize utilise employ apply leverage application usage using
get got obtain gain acquire receive secure earn win
need require demand want necessitate
want wish desire hope would like seek
try attempt strive endeavor endeavour effort aim seek
aim goal objective purpose target intention intend plan
plan scheme strategy program programme intend schedule proposal
find found discover locate identify detect determine uncover
look see saw seen watch view observe notice witness
talk speak spoke discuss conversation chat converse dialogue speech
discuss debate talk address cover
call phone telephone ring contact
name call titled entitled dubbed named known termed label
meet met meeting gather encounter convene assemble
work job employment career occupation profession task duty labor labour
worker employee staff personnel workforce laborer
boss manager supervisor chief head leader director
lead led leader head guide direct manage run oversee supervise
company firm business corporation enterprise organization organisation
organization organisation institution agency body association group
group team band crew squad
customer client consumer buyer user patron
product item goods merchandise article
service assistance
price cost rate fee charge
money cash funds currency capital funding
pay paid payment compensate remunerate fee
salary wage pay earnings income
house home residence dwelling apartment
building structure edifice construction
car automobile vehicle auto
road street avenue highway route
city town municipality metropolis
country nation state land
area region zone district territory sector
place location site spot venue position
world globe earth planet
people persons individuals folks humans population person human
child children kid kids youngster minor
student pupil learner
teacher instructor educator tutor professor lecturer trainer
doctor physician medic clinician
illness disease sickness ailment disorder condition
medicine drug medication pharmaceutical remedy
cure heal treat remedy therapy treatment
hospital clinic infirmary
patient sufferer
police officer cop constable
crime offense offence felony
law legislation statute act regulation rule
rule regulation guideline policy
court tribunal
judge justice magistrate
lawyer attorney counsel solicitor barrister
kill killed murder slay slain assassinate slaughter
injure hurt wound harm
die died death perish dead passed deceased
fight fought battle combat struggle
army military troops forces soldiers
weapon arms gun
government administration authorities state regime
president leader
election vote ballot poll
film movie picture cinema motion
actor actress performer star starring
sing sang sung singer vocalist vocals
song track tune single
album record
book novel publication volume
write wrote written author pen compose writer
author writer novelist
read reading
publish published release issue print
release released launch issue unveil debut
music musical
play played perform performance
game match contest
sport athletics
player athlete
team club side
train coach practice exercise
food meal cuisine dish
eat ate eaten consume dine
drink drank beverage
cook prepare
sleep slept rest
clothes clothing garments apparel
animal creature beast
dog canine puppy
cat feline kitten
tree plant
forest woods woodland
river stream
sea ocean
mountain hill peak
weather climate
rain rainfall precipitation
storm hurricane cyclone tempest
fire blaze flame
study research investigate examine explore investigation analysis analyze analyse inquiry
method approach technique procedure process way manner
result outcome consequence effect finding
cause reason lead trigger prompt source
effect impact influence consequence affect
problem issue difficulty trouble challenge concern
solve resolve fix address settle tackle
solution answer remedy fix
idea concept notion thought
example instance illustration case
part portion section segment component piece element share
kind type sort form category variety class
number amount quantity count figure
change alter modify adjust shift vary transform alteration modification
different various diverse varied
choose chose chosen select pick opt choice option decide elect
decide decided decision determine resolve conclude
compare contrast
connect link associate relate relation relationship tie
answer reply respond
change replace substitute swap
replace substitute supersede succeed
protect guard defend shield safeguard protection
warn alert caution
danger risk hazard threat
test trial experiment exam assess evaluate assessment evaluation
check inspect examine verify review
measure gauge assess quantify
compute calculate computation calculation
predict forecast foresee anticipate expect project prediction projection expectation
expect anticipate await estimate assume foresee hope
estimate approximate guess projection
about approximately roughly around nearly almost circa
very extremely highly greatly really quite particularly
fast rapidly
also too additionally furthermore moreover besides well
but however although though yet nevertheless despite
because since as due owing
therefore thus hence consequently so
like such similar
beautiful attractive lovely gorgeous pretty scenic stunning
ugly unattractive
famous renowned celebrated
smart intelligent clever bright brilliant
stupid foolish silly dumb
angry mad furious upset annoyed
scared afraid frightened fearful terrified
tired exhausted weary fatigued
strange odd weird peculiar unusual bizarre
funny amusing humorous comic comedy
serious severe grave critical
quick brief
last endure continue
happen occur take arise
appear seem emerge look
become grow turn
bring brought carry bear
carry transport convey haul
move travel go went journey relocate
go went gone travel head
travel journey trip tour voyage
visit visited tour
stay remain reside live
live lived reside dwell inhabit
own owned possess have hold
hold held keep grasp contain
control manage regulate govern command direct
rule govern reign
operate run function work
handle manage deal process manipulate
offer provide propose present give
suggest propose recommend advise recommendation suggestion
ask request inquire enquire
order command instruct
promise pledge vow commit guarantee
guarantee warranty assure ensure
ensure guarantee assure secure
share divide split distribute
spread distribute disseminate extend
collect gather accumulate amass assemble
store keep save stock storage
shop store outlet market retailer
market marketplace
advertise promote market publicize
invest investment fund
invent devise create design develop conceive
design plan devise layout
developer creator maker inventor founder
founder creator establisher
origin source beginning root
history past
future upcoming forthcoming coming
today now currently presently current present nowadays
year annual yearly annually
month monthly
week weekly
day daily
hour hourly
decade
century
approach strategy
feature characteristic attribute trait property quality
quality standard grade
level degree extent
stage phase step
limit restrict constraint restriction cap bound
allow let
refer mention cite
based grounded built founded
contribute give donate
cooperate collaborate partner
compete rival contend
partner associate colleague collaborator
agreement contract deal pact treaty accord
contract agreement
meeting conference session gathering
question query
message note communication
email mail
letter missive
picture image photo photograph
sound noise audio
view perspective opinion outlook
rich abundant plentiful
dangerous hazardous
huge enormous
return come
investor shareholder stockholder
dividend payout distribution
quarter quarterly
guidance outlook forecast projection
margin
debt borrowing liability
repurchase buyback
bank lender
network net
model
train learn
accuracy precision
performance
propose introduce present suggest
novel new
dataset data corpus
efficient effective
image picture visual
language linguistic
word term
representation embedding encoding
task problem
algorithm method procedure
parameter weight
deep
layer
evaluate assess
superior better outperform
best finest
host hostess presenter anchor
episode instalment installment
podcast show program broadcast
listener audience
talk interview
guest visitor
tool instrument
equipment gear apparatus
device gadget appliance machine
fit match suit
specific particular certain special
special unique particular distinctive exclusive
unique distinct sole
personal individual private customised customized tailored
tailored customized customised bespoke personalised personalized
discount reduction rebate
demo demonstration
trial test pilot
schedule arrange book appointment
available ready
team crew staff
professional expert specialist
expert specialist authority
experience expertise background
solution offering
potential possibility capability
opportunity chance possibility prospect
success achievement accomplishment
benefit advantage perk
comprehensive complete thorough extensive inclusive
detailed thorough
seamless smooth
innovative pioneering groundbreaking novel
leading top premier foremost
unlock enable release
optimize improve
streamline simplify
monitor track observe watch
manage administer
integrate combine incorporate
percent percentage
us usa united states america american
uk britain british kingdom
via through using
preceding previous prior last
regain recover retrieve restore
exchange swap trade barter
revise revised update amend modify
outlay expenditure spending cost
significance importance meaning relevance
delve explore examine discuss investigate
express convey voice state communicate
dissect scrutinize analyze examine
outline describe summarize sketch
hike rise increase raise
refund reimburse reimbursement repay
rust corrosion
bike bicycle cyclist
boil simmer cook
renter tenant lessee
owner landlord proprietor landlady
glucose sugar
stroll walk hike
spike peak surge
parcel package packet
courier carrier delivery
aircraft plane airplane jet
flight fly flew flown
ship vessel boat
train rail railway
lorry truck
holiday vacation
flat apartment
lift elevator
petrol gas gasoline fuel
mobile cellphone phone smartphone
laptop computer notebook pc
app application software program
website site webpage page
login signin sign
password passcode
button key
screen display monitor
fracture break broke broken
accident crash collision
earthquake quake tremor
flood flooding inundation
victim casualty
wounded injured
doctor surgeon
baby infant newborn toddler
teenager adolescent teen
elderly senior pensioner
retire retirement retiring
resign resignation quit step
appoint appointed name nominate
promote promotion
ceo chief executive head
founder creator
minister secretary
parliament congress assembly legislature
senate senator
citizen resident inhabitant national
immigrant migrant
border frontier
agreement accord pact
strike walkout
protest demonstration rally march
riot unrest
ceremony event celebration
wedding marriage
marry married wed
divorce separation
funeral burial
church chapel cathedral
school college academy
university college
exam examination test
grade mark score
lesson class course
degree diploma
scientist researcher
professor lecturer academic
experiment trial
discover discovery found
prove proof
theory hypothesis
planet world
star sun
space universe cosmos
moon lunar
ocean sea
island isle
beach shore coast
lake pond
field meadow pasture
farm ranch
farmer grower
crop harvest
wheat grain cereal
beef meat pork
dinner supper evening
lunch midday noon
dish meal recipe
bake roast fry
soup stew broth
dessert sweet pudding
salt salty
drink beverage
beer ale lager
shirt top blouse
trousers pants jeans
shoe boot footwear
coat jacket
hat cap
gold golden
red scarlet crimson
blue azure
grey gray
colour color hue
shape form
round circular
corner edge
centre center middle
top summit peak
bottom base foot
door gate entrance
exit way
window pane
roof ceiling
floor storey story level
stairs staircase steps
room chamber
garden yard
fence barrier
bridge crossing
castle fortress palace
statue sculpture
painting picture portrait canvas
artist painter
poet poem poetry verse
novel story tale fiction
newspaper paper press
magazine journal periodical
journalist reporter correspondent
television tv broadcast
concert gig show performance
theatre theater stage playhouse
premiere debut opening
ticket pass
prize award trophy
champion winner
goal score
race run sprint
runner athlete
swim swimming
football soccer
stadium arena
referee umpire
fan supporter
dozen twelve
pair couple two
cent cents
loan credit mortgage
tax levy duty
insurance cover coverage policy
bill invoice
salary wage
invest investor
share stock equity
merger takeover acquisition
bankrupt insolvent bankruptcy
lay layoff redundancy
launch release
recall withdraw
warranty guarantee
defect fault flaw bug error
fix repair mend
maintenance upkeep
delay postpone defer
cancel scrap drop
reschedule rebook move
extend prolong
deadline due
reserve book reservation booking
allow permitted permit may
ban forbid prohibit
oblige require must
fine penalty punishment
prison jail
trial hearing
verdict ruling judgment decision
sue lawsuit
evidence proof
steal stole stolen theft rob robbery burglary
thief robber burglar
murderer killer
drug narcotic
poison poisonous toxic venomous
allergy allergic
headache migraine
nausea sickness vomiting
fever temperature
cough cold flu
heart cardiac
eye sight vision visual
ear hearing
tooth teeth dental
foot feet
pregnant pregnancy
weigh weight heavy
tall height high
wide width
deep depth
long length
moment instant
period era age time
morning dawn
weekend saturday sunday
autumn fall
`;
