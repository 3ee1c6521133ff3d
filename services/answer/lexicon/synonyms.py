"""Words that may stand for each other where a sentence is told in other words: `mistake` for `error`.

Wider than the words that tie a question to its answer (`related_words`): a word too many here costs a check little,
because numbers, names, dates and denials are compared by themselves. General English only, by stems.
"""

from collections.abc import Mapping
from functools import lru_cache

from services.answer.lexicon.related_words import groups_of, has_related

_GROUPS = """
abandon give quit leave
accord agree agreement deal treaty contract pact
achieve attain accomplish reach manage success
add additional extra further more
aid help assist support back
aim goal purpose objective target intend
alter change modify adapt shift move switch
amount sum total quantity number
annual year yearly
answer reply respond response
anticipate expect foresee plan suppose intend mean
appear emerge arise look seem show
approve accept endorse authorize
area region zone territory district location place site spot
argue claim maintain contend state say
assess evaluate judge rate measure
attack raid assault strike
attempt try effort go
avoid prevent dodge escape
award grant give prize honour
aware know familiar
bad poor harmful
ban forbid prohibit outlaw
basic main chief key principal major fundamental essential primary
battery power
beat defeat overcome
become turn get grow
believe think suppose consider
benefit advantage gain help
big massive enormous huge vast giant
blame attribute put ascribe
border edge boundary limit
brief short
bring carry deliver
broad wide
burn fire
capture catch seize trap
centre center middle
certain sure definite
cheap inexpensive affordable cost
check inspect examine verify test review control
child kid boy girl
city town
cloud plume haze mist
combine join unite merge link connect
come arrive get go
company firm business enterprise corporation
compel force require oblige make
complete finish full entire whole
compute calculate work figure
concern worry fear
conduct run perform carry do
consist contain comprise include hold
continue go keep carry proceed remain
correct right accurate true
create make produce generate establish found set
crucial vital essential important necessary
damage harm hurt destroy ruin
danger risk threat hazard
data information
decide determine choose settle resolve
decrease reduce cut lower lessen shrink
delay postpone hold push back
deliver supply provide give
deny refuse reject
depart leave set start
depend rely hinge lean
descend fall sink drop
describe depict portray
desire want wish
destination target goal
detail fact particular
device instrument equipment tool machine
differ vary distinct unlike
difficult hard tough
direct lead guide steer
disappear vanish
display show exhibit
distinguish tell separate
divide split separate cut
doctor physician
draw pull attract
dry arid
duty obligation responsibility
earn make gain get
easy simple
educate teach train learn
effect impact consequence result influence affect outcome
eliminate remove erase delete get
employee worker staff
engine motor thruster rocket
enough sufficient
error mistake fault
escape flee leave lose
exact precise
exceed surpass top beat more
exist live be
expand extend enlarge grow widen
explain clarify account
explode burst blow explosion
express state voice
extra spare
fact truth
false wrong incorrect
fame known famous renowned
fasten attach fix tie
father mother parent
feature characteristic trait property
fill pack load
film movie
fix repair mend
flat level
flaw defect fault problem trouble
follow come succeed
forecast predict
former previous past earlier
found establish set create
free release
frequent often common
frozen freeze ice frost
fund money finance
gas vapour
gentle soft light
get receive obtain gain fetch acquire
glow shine
goods product
group team band set cluster
guard protect defend
guest visitor
happen occur take
head top chief
high tall tower
hint clue sign
hold keep contain store
home house
hop jump
hover float hang
idea concept notion thought
illness disease sickness
image picture photograph shot view
impossible unable cannot
inform tell notify
injure hurt wound
inside within interior
insist demand
job work post profession task
join connect link
journey trip voyage travel
judge court
keep preserve maintain retain store
kill murder
kind type sort form
law rule regulation statute
lawyer attorney
leader boss head chief president
least minimum
like similar resemble alike same
limit bound cap restrict
link connect tie
list catalogue
little small few
load cargo
locate find place situate
lone single sole only
manner way fashion method
many numerous several lot
marsquake quake tremor
maximum most highest top
mean signify stand denote
medicine drug
meet encounter join dock
method technique approach procedure way
mission flight trip expedition
mistake error
move drive go travel
open unfold deploy unfurl spread
high upper top
mute silent quiet dead
nation country state
native indigenous
near close next beside
necessary need require essential
normal usual regular typical ordinary common
notice spot see observe
now today current present
object thing
obtain get acquire gather
old ancient
once formerly
operate run work function
opinion view
order command instruct instruction
origin source begin start beginning
outcome result
outlast outlive survive
own possess have hold
part portion piece share component section
participate join take
particular special specific
partner spouse
pass past flyby
pay fund
peak summit top
perhaps maybe possible probable
permanent lasting
phase stage step
piece fragment bit part
plan intend schedule programme program scheme mean
plant grow
plunge dive descent fall
point spot place
poor needy
portion share part
possible can could may able
power energy electricity
precede before
prepare ready groundwork preparation
preserve keep protect save
price cost
primary first
principal main
problem issue trouble difficulty
process procedure
produce make manufacture yield
prohibit ban
promise pledge
proof evidence
propose suggest put
protect shield guard defend safeguard
prove show
quarantine isolate
quick rapid fast swift
quiet silent
quit stop leave
rank place
rare uncommon seldom
rate pace speed
reach arrive get
ready prepared
real actual true
receive get obtain
recent new late
recommend advise suggest
record register
recover retrieve get fetch
refer relate concern
refuse decline deny
regard consider see view
regular constant
remain stay
remote distant far
remove take
rent lease
replace substitute
represent stand
request ask apply
rescue save
resist oppose
respond answer
restore return
restrict limit
retire withdraw
return back come go
rich wealthy
rim edge
ring circle
rival competitor
road street
rock stone
rule govern
safe secure
salary wage pay
satellite moon
scholar scientist researcher
school college
sea ocean
secret hidden
section part
segment part
select pick
send transmit dispatch launch radio
sense feel
settle land
severe harsh serious
shape form
share divide
shatter smash break crash
shelter refuge
shield protect
shiver shake
shop store
shout cry call
shut close off
sick ill
signal message transmission
similar like
skill ability
skip miss
sleep rest
slope hill
smash crash
snap take shoot
soar rise
soil ground dirt surface
solve resolve
soon shortly
sound noise
space room
speak talk say
spend use
spin rotate turn
stable steady
stand endure bear take withstand
standard norm
start begin
steal rob
step measure
stick jam stuck
store keep save
storm hurricane
story tale
strange odd
strategy plan
stream river flow
stress strain
stretch extend span run
strong powerful
structure building
struggle fight
student pupil
subject topic
succeed follow
sudden abrupt
suggest propose
suit fit
sunlight sun solar
surface ground
surprise amaze
suspect think
swing pass fly flyby
symbol sign
talk speak
task job
tax levy
tear rip
tell inform
temperature hot cold warm
tend lean
term word
terrible awful
territory land
theory idea
thick dense
threaten endanger
throw cast
tie bind
tilt tip lean
top summit
topple tip
total whole
tough hard
trace track
trade commerce
tradition custom
transform change turn
transmit send broadcast radio relay
trap catch
treat handle
trial test
trouble problem difficulty
trust rely
turn rotate
twin sister identical
typical usual
ultimate final
uncover reveal
unite join
universe cosmos
unusual rare
update renew
urge press
usage use
use employ utilize apply
vanish disappear lost
vary differ change
vast huge
vehicle rover car
verify confirm check prove
view see
visible seen
visit call
vital essential
walk step foot
want wish
war conflict battle
warm heat
warn caution alert
watch observe see
water ice
way path route road
weak faint feeble
weather climate
weigh mass
whole entire all complete
wife husband spouse
wing panel
wire cable
witness see
worth value
young youth
"""


def told_alike(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of the stems may stand for this one, by either list or by its root."""
    return not synonyms().get(stem, frozenset()).isdisjoint(stems) or has_related(stem, stems)


@lru_cache(maxsize=1)
def synonyms() -> Mapping[str, frozenset[str]]:
    """From a stem to those of the words that may stand for it."""
    return groups_of(_GROUPS)
