#!/bin/sh
# The service in a minute: start it, make a group, patch it three ways, receive its signed webhooks, run a lambda. Nothing is left behind.
set -eu
cd "$(dirname "$0")/.."
# The Node that the repository brings with it, whatever else is installed.
[ -x node_modules/.bin/node ] || { echo 'Run npm ci first.' >&2; exit 1; }
PATH="$PWD/node_modules/.bin:$PATH"
# A fresh clone has no build, which npm start makes by itself.
[ -e dist/index.js ] || node scripts/build-stale.ts
port="${PORT:-9011}" receiver_port="${RECEIVER_PORT:-9012}"
url="http://127.0.0.1:$port" received="$(mktemp)" secret="the secret of the key that signs, 32 bytes or more"

say() { printf '\n# %s\n' "$1"; }
api() { # METHOD PATH BODY [CONTENT-TYPE]
  curl -sSf -X "$1" -H 'Authorization: one-minute' -H "Content-Type: ${4:-application/json}" "$url$2" -d "$3"
  echo
}

wait_for() { # URL PID
  for _ in $(seq 150); do
    kill -0 "$2" 2>/dev/null || { echo "$1: the process ended before it answered." >&2; exit 1; }
    # 503: it starts.
    case "$(curl -s -o /dev/null -w '%{http_code}' "$1")" in 000 | 503) ;; *) return ;; esac
    sleep 0.2
  done
  echo "$1 does not answer." >&2
  exit 1
}

PORT="$receiver_port" WEBHOOK_SECRET="$secret" node examples/webhook-receiver.ts >"$received" &
receiver=$!
PORT="$port" DATABASE_URL=memory: LATCHKEY_API_KEY=one-minute LATCHKEY_ALLOW_PRIVATE_NETWORK=1 node examples/server.ts &
server=$!
trap 'kill $server $receiver 2>/dev/null || true; rm "$received"' EXIT
wait_for "$url/api/status" "$server"
wait_for "http://127.0.0.1:$receiver_port/" "$receiver"

say 'A key that signs, and a webhook that wants to know of groups'
key=10000000-0000-4000-8000-000000000001
api POST "/api/key/import/$key" "{\"key\":{\"algorithm\":\"HS256\",\"name\":\"Webhooks\",\"secret\":\"$secret\"}}"
api POST /api/webhook "{\"webhook\":{\"url\":\"http://127.0.0.1:$receiver_port/\",\"connectTimeout\":1000,\"readTimeout\":2000,
  \"global\":true,\"eventsEnabled\":{\"group.create\":true,\"group.update\":true},
  \"signatureConfiguration\":{\"enabled\":true,\"signingKeyId\":\"$key\"}}}"

say 'A group, patched three ways'
group=/api/group/10000000-0000-4000-8000-000000000002
api POST "$group" '{"group":{"name":"Editors","data":{"floor":1,"tags":["a"]}}}'
api PATCH "$group" '{"group":{"data":{"tags":["b"]}}}'
api PATCH "$group" '{"group":{"data":{"tags":["c"],"floor":null}}}' application/merge-patch+json
api PATCH "$group" '[{"op":"replace","path":"/group/name","value":"Authors"}]' application/json-patch+json

say 'What the receiver was told, and found to be signed'
delivered="$url/api/system/webhook-event-log/search?eventResult=Succeeded"
for _ in $(seq 150); do
  if curl -sSf -H 'Authorization: one-minute' "$delivered" | grep -q '"total":4'; then break; fi
  sleep 0.2
done
cat "$received"

say 'A lambda, tried out'
api POST /api/lambda/test '{"lambda":{"type":"JWTPopulate","body":"function populate(jwt) { jwt.greeting = `Hello ${jwt.sub}`; }"},
  "arguments":{"jwt":{"sub":"Ada"}}}'
