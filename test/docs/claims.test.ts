// Every claim of the README has a test: a sentence or a figure that is not in these tables fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { lambdaTypes } from "../../src/availability/lambda-types.js";
import { familyOperations } from "../../src/families/index.js";
import { requirements } from "../requirements.js";
import { requirement } from "../support/requirement.js";
import { proseOf, readPage, root } from "./support/pages.js";

/** The tests that show each sentence of the claims and of “What you get”, by its first words: ids of requirements, or files. */
const claims: Readonly<Record<string, readonly string[]>> = {
  "Nothing acknowledged is lost": ["service.outbox"],
  "CI kills a server under load 30 times": ["test/storage/sqlite-settings.test.ts", "test/crash/run.ts"],
  "Every event of these writes": ["service.outbox", "delivery.retried", "test/crash/run.ts"],
  "It is fast": ["test/bench/run.ts"],
  "Latchkey serves a group by its id": ["test/bench/run.ts"],
  "That is 35 times the rate": ["test/bench/run.ts"],
  "Every rule has a test": ["test/requirements.test.ts"],
  "More than 1000 rules": ["test/requirements.test.ts"],
  "Each promise about security": ["test/docs/links.test.ts"],
  "Proof: [": ["test/docs/links.test.ts"],
  "One API, over HTTP and in process": ["service.same-values", "service.same-errors", "client.same"],
  "`POST /api/group` and `identity.groups.create(…)` run the same": ["service.same-values", "service.same-errors"],
  "Families for the whole job": ["client.calls"],
  "Manage tenants, applications": ["client.calls", "openapi.derived"],
  "Your rows and ours in one transaction": ["service.transaction", "service.transaction-nested"],
  "`identity.transaction(async (tx) => …)` gives you": ["service.transaction", "test/package/readme.ts"],
  "Isolated tenants": ["tenant-scope.matrix"],
  "Every storage call names its tenant": ["test/hostile/tenant-matrix.ci.test.ts"],
  "A record of another tenant is a 404": ["tenant-scope.foreign", "tenant-scope.matrix"],
  "Scoped API keys": ["key.scoped"],
  "Limit a key by endpoint": ["key.permissions", "key.expiration", "key.access-list"],
  Authentication: ["login.ok"],
  "Use passwords, refresh tokens": ["refresh.ok", "cookie.safe", "two-factor.login", "oauth.token", "dpop.binding"],
  "The service counts failed attempts": ["throttle.counted-first", "throttle.slowed", "throttle.refused"],
  "Account flows": ["account.flow-walk"],
  "Verify emails and phone numbers": [
    ...["account.verify-email", "phone.verify", "account.forgot", "account.passwordless", "login.device"],
    ...["user-action.prevent-login", "users.import-hashes"],
  ],
  "Guards protect your own routes": ["guards.users"],
  "Events and webhooks": ["delivery.sent"],
  "Every write publishes an event in its own transaction": ["service.outbox", "event.walk"],
  "Delivery is at-least-once": ["delivery.retried", "delivery.backoff", "delivery-log.attempts", "webhook.signature"],
  Lambdas: ["lambda.types"],
  "[A console]": ["console.mount"],
  "Mount it with one line": ["console.mount", "console.roles", "console.ten-minutes"],
  "[Single sign-on]": ["openid.single-sign-on"],
  "People of your customers log in": ["openid.single-sign-on", "saml.provider", "external-login.clients"],
  "When their directory deactivates": ["openid.single-sign-on", "test/examples/sso.test.ts"],
  "[An OpenID provider]": ["openid.code"],
  "Log users in to your other applications": ["openid.code", "openid.rotation"],
  "The [pages of sign-in]": ["test/oidc-pages/login.test.ts"],
  "[Identity providers]": ["external-login.clients"],
  "Log in by Google": ["external-login.clients", "test/identity-providers/named-providers.test.ts"],
  "[Log in with passkeys]": ["passkey.login"],
  "Users log in with a fingerprint": ["passkey.login", "passkey.assert", "test/console/passkeys.test.ts"],
  "[A SCIM server]": ["scim.okta", "scim.patch"],
  "Let Okta, Entra ID": ["scim.senders", "test/examples/scim.test.ts"],
  "[Passwords of your directory]": ["connector.ldap"],
  "Log in by LDAP": ["connector.domains", "connector.migrate"],
  "Customize tokens, logins and forms": ["lambda-place.kind", "test/examples/lambdas.test.ts"],
  "They run in processes": ["runner.kills"],
  Search: ["search.contains"],
  "Search with wildcards": ["search.wildcards", "search.case", "search.total", "search.next-results"],
  Tools: ["client.calls"],
  "Use the typed client": ["client.bundle", "openapi.valid", "openapi.answers", "cli.configuration", "testing.clock"],
};

/** The figures of the prose, and what each must be by the code. */
const figures: Readonly<Record<string, () => unknown>> = {
  "27": () => Object.keys(lambdaTypes).length,
  "3.1": () => JSON.parse(readPage("openapi.json")).openapi.replace(/\.\d+$/, ""),
  "22.12": () => /\d+\.\d+/.exec(manifest.engines.node)?.[0],
  "0.1": () => manifest.version.replace(/\.\d+$/, ""),
  "0": () => manifest.version.split(".")[0],
  // The version of Node that npm ci brings, and the least with which npm works: test/readme/run.ts.
  "24": () => manifest.devDependencies.node.replace(/^\D*(\d+).*$/, "$1"),
  "20": () => "20",
  // The number of kills unless CI says otherwise.
  "30": () => /positionals\[0\] \?\? (\d+)/.exec(readPage("test/crash/run.ts"))?.[1],
  "1000": () => Math.floor(Object.keys(requirements).length / 1000) * 1000,
  "0.87": () => /^\| a group by its id, Fastify, SQLite \| ([\d.]+) ×/m.exec(readPage("docs/comparison.md"))?.[1],
  "35": () => /^\| the same \| (\d+) × better-auth, one organization/m.exec(readPage("docs/comparison.md"))?.[1],
  // A status.
  "404": () => "404",
};

const readme = readPage("README.md");
const sectionOf = (title: string): string => new RegExp(`## ${title}\\n([\\s\\S]*?)\\n## `).exec(readme)?.[1] ?? "";
const sentences = `${sectionOf("Three claims and their proof")}\n${sectionOf("What you get")}`
  .split(/^- /m)
  .map((bullet) => bullet.replace(/\s+/g, " ").trim())
  .filter((bullet) => bullet !== "")
  .flatMap((bullet) => bullet.replaceAll("**", "").split(/(?<=[.!?]) (?=[A-Z`])/));

describe("the README", () => {
  requirement("docs.claims", "claims nothing without a test", () => {
    const starts = Object.keys(claims);
    expect(sentences.filter((sentence) => !starts.some((start) => isOf(sentence, start)))).toEqual([]);
    expect(starts.filter((start) => !sentences.some((sentence) => isOf(sentence, start)))).toEqual([]);
  });

  test.each(Object.entries(claims))("shows that “%s”", (_claim, evidence) => {
    expect(evidence.length).toBeGreaterThan(0);
    const isThere = (one: string): boolean => Object.hasOwn(requirements, one) || existsSync(join(root, one));
    expect(evidence.filter((one) => !isThere(one))).toEqual([]);
  });

  requirement("docs.claims", "has no figure that the code does not have", () => {
    const named = [
      ...proseOf(readme)
        .replace(/\]\([^)]*\)/g, "]")
        .matchAll(/(?<![\w.])\d+(?:\.\d+)*(?![\w])/g),
    ].map(([text]) => text);
    expect([...new Set(named)].filter((text) => !Object.hasOwn(figures, text))).toEqual([]);
    for (const text of named) expect(String(figures[text]?.())).toBe(text);
  });

  requirement("docs.claims", "lists every family that there is", () => {
    const families = Object.keys(familyOperations).filter((name) =>
      /^(tenants|applications|users|groups|forms|consents|webhooks|lambdas|integrations|keys|entities)$/.test(name),
    );
    for (const family of families) expect(sectionOf("What you get")).toContain(family);
    expect(families).toHaveLength(11);
  });
});

// A heading is a whole sentence, else the first words tell which it is.
function isOf(sentence: string, start: string): boolean {
  return sentence === `${start}.` || (start.includes(" ") && sentence.startsWith(start));
}
