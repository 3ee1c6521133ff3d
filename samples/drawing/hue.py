"""The colours that several pictures share."""

NIGHT, INK, PAPER, WHITE, GREY = "#0f1830", "#1d2433", "#f4f1ea", "#ffffff", "#8c94a3"
SKY_BLUE, ORANGE, YELLOW, GREEN, RUST, SAND = "#4f9fd8", "#e69138", "#f2c94c", "#3aa387", "#b4532a", "#d9a066"
MOON, MARIA = "#d6d3ca", "#a9a69d"
STEEL, SLATE, DISH, SOLAR_CELLS = "#c9ced8", "#5b6372", "#e9ebf0", "#27427a"
MARS_SKY, MARS_HILLS, RUST_SHADOW, RUST_DARK = "#e8b98a", "#c98355", "#8f3f1e", "#7b3417"
MARS_STONES = (RUST_SHADOW, "#a04a26", RUST_DARK)
MOON_STONES = ("#b9b6ad", "#c8c5bb", "#a3a098")
