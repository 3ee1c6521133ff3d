"""True sentences over the sample corpus in words of their own, each with one that is false in a single point."""

PARAPHRASES: tuple[tuple[str, str, str], ...] = (
    (
        "venera-7",
        "Venera 7 started from Baikonur on 17 August 1970.",
        "Venera 7 started from Baikonur on 19 August 1970.",
    ),
    (
        "venera-7",
        "After the fall Venera 7 went on transmitting a faint signal for 23 minutes.",
        "After the fall Venera 7 went on transmitting a faint signal for 53 minutes.",
    ),
    ("venera-7", "The capsule reached Venus in December 1970.", "The capsule reached Venus in November 1970."),
    (
        "mariner-9",
        "In 1971 Mariner 9 entered an orbit round Mars.",
        "In 1973 Mariner 9 entered an orbit round Mars.",
    ),
    (
        "mariner-9",
        "When Mariner 9 arrived, a dust storm covered all of Mars.",
        "When Mariner 9 arrived, a dust storm covered all of Venus.",
    ),
    (
        "mariner-9",
        "About 85 per cent of the planet was mapped by Mariner 9.",
        "About 58 per cent of the planet was mapped by Mariner 9.",
    ),
    ("mariner-9", "Mariner 8 fell into the Atlantic in May 1971.", "Mariner 8 fell into the Pacific in May 1971."),
    (
        "apollo-11",
        "Armstrong and Aldrin collected 21.5 kg of rock and soil.",
        "Armstrong and Aldrin collected 25.1 kg of rock and soil.",
    ),
    (
        "apollo-11",
        "Michael Collins remained in orbit in Columbia.",
        "Buzz Aldrin remained in orbit in Columbia.",
    ),
    ("apollo-11", "The laser mirror is in use to this day.", "The laser mirror is not in use to this day."),
    (
        "apollo-11",
        "The crew was in quarantine until 10 August 1969.",
        "The crew was in quarantine until 10 September 1969.",
    ),
    (
        "apollo-13",
        "An oxygen tank of Apollo 13 exploded more than 320,000 km from the Earth.",
        "An oxygen tank of Apollo 13 exploded more than 320,000 miles from the Earth.",
    ),
    (
        "apollo-13",
        "Apollo 13 swung round the Moon and did not land.",
        "Apollo 13 swung round the Moon and did land on it.",
    ),
    (
        "apollo-13",
        "Ken Mattingly had been exposed to German measles before the launch.",
        "Fred Haise had been exposed to German measles before the launch.",
    ),
    (
        "huygens",
        "At the ground of Titan the temperature was about minus 179 °C.",
        "At the ground of Titan the temperature was about minus 79 °C.",
    ),
    (
        "huygens",
        "The descent of Huygens took 2 hours and 27 minutes.",
        "The descent of Huygens took 3 hours and 27 minutes.",
    ),
    ("huygens", "Huygens weighed about 320 kg.", "Huygens weighed about 320 tonnes."),
    (
        "voyager-1",
        "Linda Morabito found a plume above Io on one of the pictures.",
        "Carl Sagan found a plume above Io on one of the pictures.",
    ),
    (
        "voyager-1",
        "Voyager 1 has been in interstellar space since August 2012.",
        "Voyager 1 has been in interstellar space since August 2021.",
    ),
    (
        "voyager-1",
        "The golden record holds 115 pictures and greetings in 55 languages.",
        "The golden record holds 115 pictures and greetings in 155 languages.",
    ),
    (
        "ingenuity",
        "Instead of the planned five flights Ingenuity made 72.",
        "Instead of the planned five flights Ingenuity made 27.",
    ),
    (
        "ingenuity",
        "The rotors of Ingenuity turned about 2,500 times a minute.",
        "The rotors of Ingenuity turned about 5,200 times a minute.",
    ),
    (
        "ingenuity",
        "In January 2024 NASA announced that the flights were over.",
        "In January 2023 NASA announced that the flights were over.",
    ),
    ("cassini", "In 2005 Cassini found fountains on Enceladus.", "In 2005 Cassini found fountains on Titan."),
    (
        "cassini",
        "Cassini burned up in the atmosphere of Saturn on 15 September 2017.",
        "Cassini burned up in the atmosphere of Jupiter on 15 September 2017.",
    ),
    ("cassini", "Cassini circled Saturn 294 times.", "Cassini circled Saturn 249 times."),
    (
        "luna-2",
        "Luna 2 found no noticeable magnetic field near the Moon.",
        "Luna 2 found a noticeable magnetic field near the Moon.",
    ),
    (
        "luna-2",
        "Khrushchev gave a copy of the pennant to Eisenhower in Washington.",
        "Khrushchev gave a copy of the pennant to Kennedy in Washington.",
    ),
    (
        "insight",
        "By the end of its mission InSight counted over 1,300 marsquakes.",
        "By the end of its mission InSight counted over 3,100 marsquakes.",
    ),
    (
        "insight",
        "The first certain marsquake was recorded on 6 April 2019.",
        "The first certain marsquake was recorded on 6 April 2018.",
    ),
    ("spirit", "Spirit drove 7.73 km in all.", "Spirit drove 7.73 m in all."),
    (
        "spirit",
        "In March 2006 the right front wheel of Spirit stopped.",
        "In March 2006 the left front wheel of Spirit stopped.",
    ),
    ("slim", "SLIM came down 55 metres from its target.", "SLIM came down 550 metres from its target."),
    (
        "slim",
        "Japan was the fifth country with a soft Moon landing.",
        "India was the fifth country with a soft Moon landing.",
    ),
    (
        "galileo",
        "The big antenna of Galileo refused to open in April 1991.",
        "The big antenna of Galileo opened in April 1991.",
    ),
    (
        "galileo",
        "The entry probe transmitted for 58 minutes before heat destroyed it.",
        "The entry probe transmitted for 85 minutes before heat destroyed it.",
    ),
    (
        "curiosity",
        "Curiosity has a mass of 899 kg and was launched by an Atlas V.",
        "Curiosity has a mass of 899 kg and was launched by a Delta II.",
    ),
    ("curiosity", "Curiosity landed in Gale on 6 August 2012.", "Curiosity landed in Jezero on 6 August 2012."),
    (
        "mangalyaan",
        "India was the first country that reached orbit round Mars on its first attempt.",
        "India was the last country that reached orbit round Mars on its first attempt.",
    ),
    (
        "mangalyaan",
        "The mission of Mangalyaan cost roughly 74 million dollars.",
        "The mission of Mangalyaan cost roughly 74 billion dollars.",
    ),
)
