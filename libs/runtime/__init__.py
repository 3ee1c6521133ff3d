"""The foundation of every process: settings, server, channels, errors, health, telemetry. No domain logic."""
