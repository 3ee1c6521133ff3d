"""The splitter as the stage builds it."""

from services.decompose.plan.split import Splitter
from services.decompose.words.domain import load_domain

DOMAIN = load_domain(language="en")
SPLITTER = Splitter(DOMAIN)
