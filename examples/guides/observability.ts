/** docs/observability.md: an access log without ids of mails. */
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import fastify from "fastify";

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});

const secrets = /\/(change|verify|passwordless|passwordless-code|change-password|verify-email|verify-registration)\/[^/]+/;
const redact = (url = "") => url.replace(/\?.*/, "").replace(secrets, "/$1/[redacted]");

const app = fastify({
  logger: { stream, serializers: { req: ({ method, url }) => ({ method, url: redact(url) }) } },
});

app.get("/*", async () => "");
const paths = ["/password/change", "/email/verify", "/phone/verify", "/registration/verify", "/oauth2/passwordless"];
for (const path of [...paths, "/api/user/change-password", "/api/user/verify-email", "/oauth2/interaction/a/passwordless-code"])
  await app.inject(`${path}/secret-id?client_id=secret-id`);
assert.ok(lines.some((line) => line.includes("/password/change/[redacted]")));
assert.ok(!lines.join("").includes("secret-id"));
await app.close();
