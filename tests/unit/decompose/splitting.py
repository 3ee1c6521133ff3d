"""The splitter as the stage builds it."""

from services.decompose.condense import Condenser
from services.decompose.domain import load_domain
from services.decompose.split import Splitter

DOMAIN = load_domain()
SPLITTER = Splitter(DOMAIN, Condenser(DOMAIN))
