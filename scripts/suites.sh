#!/usr/bin/env bash
# Run the outside suites against a stack of this tree: start it on fresh data, run each suite, stop it.
# Needs memgraph-svc and python on PATH (make suites sees to that), and Node 20 for the conformance kit.
# SHARED names the folder of the suites (default ../shared). Ends non-zero when a suite does.
set -euo pipefail
cd "$(dirname "$0")/.."
SHARED=$(cd "${SHARED:-../shared}" && pwd)

# The conformance cases that concern what is built so far: ingest, query, hydrate, assemble-context, events, scope and the
# shape of errors. Cases that also need jobs, tombstones or seeded lifecycle data join with those operations.
CASES='^((SDK-(01|02|03|06|07|08|09|10|11|13|14|16)|EX-(01|02|03|04|07|09|10|12)|ER-(01|03|04|05|06|07|08|10|13|15|16)'
CASES+='|SH-0[1-8]|SU-0[123478]|IN-(0[1-5]|07|08|09|1[0-2]|14)|QU-0[1-7]|SC-0[1235]|HY-0[1-3]|AC-(0[1-6]|09)|ST-(01|05|08)|PL-07'
CASES+='|AU-0[1-4]) )'

data=$(mktemp -d)
free_port() { python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
url=http://127.0.0.1:$port
MEMGRAPH_API_TOKEN=$(python -c 'import secrets; print(secrets.token_hex(32))')
export MEMGRAPH_API_TOKEN MEMGRAPH_ALLOW_FIXTURES=1
unset NEO4J_URI MEMGRAPH_CONFIG

stop() {
  local status=$?
  trap - EXIT
  memgraph-svc down --data "$data" || status=1
  if [ "$status" != 0 ]; then
    echo "the stack's last words:"
    find "$data" -name '*.log' -exec tail -n 25 {} + || true
  fi
  rm -rf "$data"
  exit "$status"
}

if ! command -v node >/dev/null; then
  echo "the conformance kit needs Node 20 or newer, and there is no node on PATH" >&2
  exit 1
fi

trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
memgraph-svc up --detach --data "$data" --port "$port" --bolt-port 0 --browser-port 0

failed=()
suite() {
  local name=$1
  shift
  echo "=== $name"
  "$@" </dev/null || failed+=("$name")
}

suite conformance "$SHARED/conformance/run" "$url" --set shared --token "$MEMGRAPH_API_TOKEN" \
  --only "$CASES" --allow-skips --quiet
suite retrieval python "$SHARED/retrieval/retrieval/run.py" "$url" --set shared --api-key "$MEMGRAPH_API_TOKEN" \
  --limit-questions 20

if [ ${#failed[@]} -gt 0 ]; then
  echo "suites that failed: ${failed[*]}"
  exit 1
fi
echo "all suites passed"
