"""The doors of the suite that speak HTTP: the web console, gRPC-Web, uploads. A client of the gateway."""
