#!/bin/sh
# Starts the suite with its console over data of its own, ingests the samples, and stays until Ctrl-C.
set -eu

PORT=${PARLEY_PORT:-50051}
WEB_PORT=${PARLEY_DOORS_PORT:-8050}
DATA=$(mktemp -d "${TMPDIR:-/tmp}/parley-web.XXXXXX")
SUITE=

stop() {
    code=$?
    trap - EXIT INT TERM
    if [ -n "$SUITE" ]; then
        kill -TERM "$SUITE" 2>/dev/null || true
        wait "$SUITE" || code=$?
    fi
    rm -rf "$DATA"
    exit "$code"
}
trap stop EXIT
trap 'exit 0' INT TERM

parley up --data "$DATA" --port "$PORT" --web --web-port "$WEB_PORT" &
SUITE=$!

until parley doctor --quick --port "$PORT" >/dev/null 2>&1; do
    kill -0 "$SUITE" 2>/dev/null || exit 1
    sleep 0.5
done

parley ingest samples/corpus --port "$PORT"
echo
echo "Open http://127.0.0.1:$WEB_PORT/ in a browser. Ctrl-C stops the suite."
wait "$SUITE"
