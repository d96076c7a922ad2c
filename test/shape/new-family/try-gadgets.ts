// Runs in a copy of the sources that lists the family of gadgets, and prints where it found the family.
import { createTestIdentity } from "latchkey/testing";
import { routes } from "../../../src/families/index.js";
import { allFamiliesSource, familiesSource } from "../../support/client-table.js";

const kit = await createTestIdentity({ auditChanges: true });
const { caller, clock, factories, identity } = kit;
const { gadget } = await Reflect.get(factories, "gadgets").create();
const path = `/api/gadget/${gadget.id}`;
const inProcess = await Reflect.get(identity, "gadgets").retrieve({ gadgetId: gadget.id });
const patched = await caller.patch(path, { gadget: { name: "Changed" } });
const refused = await caller.post("/api/gadget", { gadget: { name: "CHANGED" } });
const found = await caller.post("/api/gadget/search", { search: { name: "chang*" } });
const { auditLogs } = await identity.auditLogs.search({ search: { message: "gadget" } });
const config = await identity.config.export();
const rotated = await identity.secrets.rotate({ dryRun: true });
await clock.advance({ days: 2 });
await identity.settle();
const expired = await caller.get(path);

console.log(
  JSON.stringify({
    created: gadget,
    inProcess: inProcess.gadget,
    statuses: [patched.status, refused.status, found.status, expired.status],
    refused: refused.body,
    found: found.body,
    audited: auditLogs.map(({ message }) => message),
    configured: Reflect.get(config, "gadgets"),
    sealed: rotated.tables.gadgets,
    // What openapi.json is written from.
    routes: routes.filter(({ path }) => path.startsWith("/api/gadget")).map(({ method, path }) => `${method} ${path}`),
    client: [/gadgets/.test(allFamiliesSource()), /patch: "PATCH \/api\/gadget\/:gadgetId/.test(familiesSource())],
  }),
);
await identity.close();
