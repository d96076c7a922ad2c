/** Configuration as a document: planned, applied, changed and exported. The same from a shell: `latchkey plan examples/configuration`. */
import { readFileSync } from "node:fs";
import { type ConfigDocument, type ConfigPlan, createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const folder = new URL("configuration/", import.meta.url);
const body = readFileSync(new URL("lambdas/claims.js", folder), "utf8");
const shop: ConfigDocument = {
  ...JSON.parse(readFileSync(new URL("shop.json", folder), "utf8")),
  lambdas: [{ name: "Claims of the shop", type: "JWTPopulate", body }],
};

const identity = await createIdentityService({ storage: memoryStorage() });
const secrets = new Map([["env:SHOP_WEBHOOK_TOKEN", "a token of the example"]]);
const resolveSecret = (reference: string): string | undefined => secrets.get(reference);

const plan = await identity.config.plan(shop, { resolveSecret });
show(plan);
await identity.config.apply(plan, { resolveSecret });
console.log(`Then ${(await identity.config.plan(shop, { resolveSecret })).changes.length} changes.`);

const edited: ConfigDocument = {
  formatVersion: 1,
  tenants: [{ name: "Default", issuer: "https://login.example.com" }],
  groups: [],
};
const second = await identity.config.plan(edited, { prune: true });
show(second);
await identity.config.apply(second);

const { webhooks } = await identity.config.export({ families: ["webhooks"] });
console.log(JSON.stringify(webhooks?.[0]?.headers));
await identity.close();

function show({ changes }: ConfigPlan): void {
  for (const { action, family, key, diff } of changes) {
    const details = action === "update" ? diff.map(({ path, before, after }) => ` ${path}: ${before} → ${after}`).join() : "";
    console.log(`${action} ${family} ${key}${details}`);
  }
}
