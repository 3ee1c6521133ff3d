"""Settings of the corpus in PostgreSQL. Without a URL the corpus is a SQLite file."""

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings


class PostgresSettings(AreaSettings, area="retrieve_postgres"):
    """Which PostgreSQL database holds the corpus. All retrieve processes of a suite name the same one."""

    url: SecretStr = SecretStr("")
    """Connection string, such as `postgresql://parley@db:5432/parley`; empty: the corpus is a file. What it leaves out
    comes from libpq's own variables (PGPASSWORD, PGSSLMODE)."""
    schema_name: str = Field(default="parley", pattern=r"^[a-z_][a-z0-9_]{0,39}$")
    """Schema of the corpus in the database, created if missing."""
    connect_seconds: int = Field(default=5, ge=2, le=60)
    """Longest time to connect."""
    statement_seconds: float = Field(default=30.0, gt=0, le=600)
    """Longest time that one statement may take."""
    start_seconds: float = Field(default=60.0, ge=0)
    """How long a process that starts waits for the database."""
