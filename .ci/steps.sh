# shellcheck shell=bash
# Steps of .ci/run and .ci/release-check: each is timed, what it prints is kept, and a failure is shown whole.
export NO_COLOR=1
logs=$(mktemp -d)
trap 'pkill -P $$ 2>/dev/null || true; rm -rf "$logs"' EXIT

# The names of the failed tests, each once, then what vitest and node's runner say of each.
failures() {
  grep -aE '^ *(FAIL |not ok|✖)' "$1" | sort -u | head -n 100
  grep -aE -A 20 '^ *(FAIL |not ok|✖)' "$1" | head -n 400
}

# step NAME COMMAND...: goes on after a failure, so that one run tells all of them.
step() {
  local name=$1 begin=$SECONDS verdict=ok
  shift
  "$@" >"$logs/$name.log" 2>&1 </dev/null || verdict=FAILED
  printf '%-30s %-6s %5d s\n' "$name" "$verdict" $((SECONDS - begin)) | tee -a "$logs/steps"
  [ "$verdict" = ok ] || { failures "$logs/$name.log"; tail -n 60 "$logs/$name.log"; return 1; }
}

# Prints the table of steps, then how many tests and steps passed and failed. Returns 1 after a failure.
summary() {
  local passed failed steps
  echo "== steps"
  cat "$logs/steps"
  printf '%-30s %-6s %5d s\n' "all" "" "$SECONDS"
  # What the walks have visited (docs/internals/decisions.md).
  { grep -ahE '^walk: front doors' "$logs/npm-test.log"; grep -ahE '^walk: ' "$logs/test-long.log"; } 2>/dev/null
  # Closing lines of vitest and of node's own runner; a step that has neither counts as one.
  passed=$(cat "$logs"/*.log | sed -nE 's/^ +Tests .*\b([0-9]+) passed.*/\1/p; s/^[#ℹ] pass ([0-9]+)$/\1/p' | awk '{ sum += $1 } END { print sum + 0 }')
  failed=$(cat "$logs"/*.log | sed -nE 's/^ +Tests .*\b([0-9]+) failed.*/\1/p; s/^[#ℹ] fail ([0-9]+)$/\1/p' | awk '{ sum += $1 } END { print sum + 0 }')
  steps=$(grep -c ' FAILED ' "$logs/steps" || true)
  [ "$steps" -gt "$failed" ] && failed=$steps
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# Installs the packages of what is missing: `needs COMMAND=PACKAGE...`.
needs() {
  local missing=() pair
  for pair in "$@"; do command -v "${pair%%=*}" >/dev/null || missing+=("${pair##*=}"); done
  [ ${#missing[@]} = 0 ] && return
  echo "installing ${missing[*]}"
  { apt-get install -y -qq "${missing[@]}" || { apt-get update -qq && apt-get install -y -qq "${missing[@]}"; }; } >/dev/null 2>&1
}

# A Postgres of its own for a command, which finds its URL in TEST_POSTGRES_URL.
with_postgres() {
  # shellcheck disable=SC2016 # The variables are those of pg_virtualenv.
  pg_virtualenv -o fsync=off -o max_connections=300 -i --encoding=UTF8 bash -c \
    'TEST_POSTGRES_URL="postgres://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/$PGDATABASE" exec "$@"' -- "$@"
}
