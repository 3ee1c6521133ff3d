"""The HTTP server: web console, gRPC-Web, uploads, MCP and OpenAI's API. A client of the gateway."""
