"""What every process stands on: settings, server, channels, interceptors, errors, health, telemetry. No domain words."""
