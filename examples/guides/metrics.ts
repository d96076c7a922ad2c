/** docs/operations.md: what guides/prometheus.yml asks for. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { ApiKeyPermissions } from "latchkey/types";

const configuration = readFileSync(new URL("prometheus.yml", import.meta.url), "utf8");
const url = /metrics_path: (\S+)/.exec(configuration)?.[1] ?? "";
const userName = /username: (\w+)/.exec(configuration)?.[1];

const identity = await createIdentityService({ storage: memoryStorage() });
const permissions: ApiKeyPermissions = { endpoints: { "/api/prometheus/metrics": ["GET"] } };
const { apiKey } = await identity.apiKeys.create({ apiKey: { name: "Metrics", permissions } });
const authorization = `Basic ${btoa(`${userName}:${apiKey.key}`)}`;
const { status, body } = await identity.inject({ url, headers: { authorization } });
assert.equal(status, 200);
assert.match(String(body), /^latchkey_storage_up 1$/m);
assert.equal((await identity.inject({ url: "/api/group", headers: { authorization } })).status, 401);
await identity.close();
