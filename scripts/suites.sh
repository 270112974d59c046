#!/usr/bin/env bash
# Run the outside suites against a stack of this tree: start it on fresh data, run each suite, stop it.
# Needs memgraph-svc and python on PATH (make suites sees to that), and Node 20 for the conformance kit.
# SHARED names the folder of the suites (default ../shared). Ends non-zero when a suite does.
set -euo pipefail
cd "$(dirname "$0")/.."
SHARED=$(cd "${SHARED:-../shared}" && pwd)
HERE=$(pwd)

data=$(mktemp -d)
free_port() { python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
url=http://127.0.0.1:$port
MEMGRAPH_API_TOKEN=$(python -c 'import secrets; print(secrets.token_hex(32))')
export MEMGRAPH_API_TOKEN MEMGRAPH_ALLOW_FIXTURES=1
# A plugin that raises, sleeps, answers garbage or exits on certain words, and else extracts simple claims.
export PYTHONPATH=$HERE/tests/plugins/fragile${PYTHONPATH:+:$PYTHONPATH} MEMGRAPH_EXTRACTORS=fragile MEMGRAPH_EXTRACTOR_TIMEOUT_S=5
# A job whose worker was killed is taken over after so many seconds.
export MEMGRAPH_JOB_LEASE_S=5
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
bolt=$(memgraph-svc status --json --data "$data" | python -c 'import json, sys; print(json.load(sys.stdin)["neo4j"]["uri"])')
seed="memgraph-svc import --fixtures - --data $data"
# It returns once the API serves; some cases then give the worker three seconds, which is when it has just started.
restart="memgraph-svc restart --hard --data $data && sleep 3"

failed=()
suite() {
  local name=$1
  shift
  echo "=== $name"
  "$@" </dev/null || failed+=("$name")
}

suite conformance "$SHARED/conformance/run" "$url" --set shared --token "$MEMGRAPH_API_TOKEN" \
  --seed-cmd "$seed" --restart-cmd "$restart" --quiet
suite reports python "$SHARED/reports/run.py" "$url" --token "$MEMGRAPH_API_TOKEN" --bolt "$bolt" --user neo4j \
  --password "$(cat "$data/neo4j-password")" --restart-cmd "$restart" --boom-text BOOMTEXT --slow-text SLOWTEXT
for mode in structured explicit; do
  suite "updates, $mode" python "$SHARED/retrieval/updates/run.py" "$url" --set shared --api-key "$MEMGRAPH_API_TOKEN" --mode $mode
done
suite retrieval python "$SHARED/retrieval/retrieval/run.py" "$url" --set shared --api-key "$MEMGRAPH_API_TOKEN" \
  --limit-questions 20

if [ ${#failed[@]} -gt 0 ]; then
  echo "suites that failed: ${failed[*]}"
  exit 1
fi
echo "all suites passed"
