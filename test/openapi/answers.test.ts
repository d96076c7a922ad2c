// Every answer of every test is compared with the document (test/support/conformance.ts). Here is what makes sure that the comparison
// sees something wrong, and that a success of each operation is compared.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { routes } from "../../src/families/index.js";
import { Caller } from "../support/caller.js";
import { checkedAnswers, conforming, findStray } from "../support/conformance.js";
import { testRunner } from "../support/lambda-runner.js";
import { headersOf } from "../support/matrix-flows.js";
import { setStage, toRequest } from "../support/matrix-stage.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld, testSecret, type World } from "../support/world.js";

/** What needs more than one call on the stage: a mail transport, a tenant that is not the default one, a second code. Its tests show it. */
const shownElsewhere: readonly string[] = [
  "emailTemplates.send",
  "emailTemplates.sendWithEmailTemplateId",
  "forms.patchByQuery",
  "forms.patch",
  "tenants.removeByQuery",
  "tenants.remove",
  "identityProviders.lookup",
  "identityProviders.start",
  "identityProviders.login",
  "identityProviders.reconcile",
  "twoFactor.start",
  "twoFactor.send",
  "twoFactor.sendForLogin",
  "twoFactor.startPasskey",
  "twoFactor.login",
  "logins.changePassword",
  "logins.changePasswordWithChangePasswordId",
  "passkeys.login",
  "passkeys.assert",
  "passwordless.login",
  "jwt.refresh",
];

requirement("openapi.answers", "a success of every operation is as the document says", async () => {
  checkedAnswers.clear();
  const world = await startConforming();
  const stage = await setStage(world, world.defaultTenantId);
  const user = await userOf(world, stage.records.get("logins")?.body);
  const tried = steps(routes, 12);
  for (const route of tried) {
    const { method, url, body } = toRequest(route, stage);
    const caller = route.access === "user" || route.access === "token" ? user : world.caller;
    await caller.send(method, url, body, headersOf(body));
  }
  const ids = tried.map(operationIdOf);
  const unseen = ids.filter((id) => ![...(checkedAnswers.get(id) ?? [])].some((status) => status < 300));
  console.info(`operations whose successes were compared here: ${ids.length - unseen.length} of ${ids.length}`);
  expect(unseen.toSorted()).toEqual(shownElsewhere.filter((id) => ids.includes(id)).toSorted());
});

function operationIdOf({ method, path }: (typeof routes)[number]): string {
  const item: Readonly<Record<string, { readonly operationId: string }>> | undefined =
    document.paths[path.replace(/:(\w+)/g, "{$1}") as keyof typeof document.paths];
  return item?.[method.toLowerCase()]?.operationId ?? `${method} ${path}`;
}

async function startConforming(): Promise<World> {
  const world = await startWorld(memoryStorage(), { lambdas: { runner: testRunner() } });
  const identity = conforming(world.identity, { storage: world.storage, secret: testSecret });
  const as = (key: string): Caller => new Caller(identity, { Authorization: key });
  return { ...world, identity, as, caller: as(bootstrapKey) };
}

async function userOf({ identity, caller }: World, body: unknown): Promise<Caller> {
  const login = await caller.post("/api/login", { ...(body as object), noJWT: false });
  return new Caller(identity, { Authorization: `Bearer ${login.textAt("token")}` });
}

requirement("openapi.answers", "an answer that is not as the document says is found", () => {
  const group = { data: {}, id: "1", insertInstant: 1, lastUpdateInstant: 1, name: "n", roles: {}, tenantId: "1" };
  const find = (status: number, body: unknown, type = "application/json; charset=UTF-8"): string | undefined =>
    findStray(
      {},
      { method: "GET", path: "/api/group/1" },
      { status, headers: { "content-type": type }, body: body === "" ? "" : JSON.stringify(body) },
    );
  expect(find(200, { group })).toBeUndefined();
  expect(find(200, { group: { ...group, secret: 1 } })).toContain("additional properties");
  expect(find(200, { group, more: 1 })).toContain("additional properties");
  expect(find(200, { group: { ...group, name: 1 } })).toContain("must be string");
  expect(find(200, { group: { ...group, name: undefined } })).toContain("required property 'name'");
  expect(find(200, "")).toContain("no body");
  expect(find(200, { group }, "text/html")).toContain("text/html");
  expect(find(404, { group })).toContain("there is a body");
  expect(find(404, "")).toBeUndefined();
  expect(find(400, { fieldErrors: {}, generalErrors: [{ code: "[x]" }] })).toContain("required property 'message'");
  expect(find(418, "")).toContain("no such status");
});
