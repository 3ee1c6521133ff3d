"""TLS, and how processes of a suite recognise each other."""
