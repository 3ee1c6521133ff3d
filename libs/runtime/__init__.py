"""What every process stands on: settings, server, channels, errors, health, telemetry. No domain words."""
