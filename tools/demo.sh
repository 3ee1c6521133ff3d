#!/bin/sh
# Starts the suite with data of its own, ingests the samples, holds a conversation, stops.
set -eu

PORT=${PARLEY_PORT:-50051}
DATA=$(mktemp -d "${TMPDIR:-/tmp}/parley-demo.XXXXXX")
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
trap stop EXIT INT TERM

parley up --data "$DATA" --port "$PORT" &
SUITE=$!

until parley doctor --quick --port "$PORT" >/dev/null 2>&1; do
    kill -0 "$SUITE" 2>/dev/null || exit 1
    sleep 0.5
done

parley ingest samples/corpus --port "$PORT"
parley ask --conversation samples/conversations/mars.jsonl --port "$PORT"
parley ask --pro "What happened in the Cassini mission to Saturn, from launch to end?" --port "$PORT"
echo
echo "The same in a browser: make web, then http://127.0.0.1:8050/"
