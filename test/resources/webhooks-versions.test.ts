import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { leastWebhook, makeWebhook, postWebhook } from "../support/webhooks.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

/** Every field that came or went, with a value that no version would take where it does not exist. */
const strangers = {
  applicationIds: [uuid(1)],
  data: { a: 1 },
  signatureConfiguration: { enabled: true },
  sslCertificateKeyId: uuid(1),
  tenantIds: [uuid(1)],
};

type Name = keyof typeof strangers;

async function namesShown(world: World): Promise<string[]> {
  return Object.keys(expectOk(await postWebhook(world)).at("webhook") as object);
}

forEachStorage((start) => {
  describe("webhooks in older versions", () => {
    requirement("webhook.versions", "have the fields of the version, and ignore the others", async () => {
      const absent: Readonly<Record<string, readonly Name[]>> = {
        "1.14.0": ["data", "signatureConfiguration", "sslCertificateKeyId", "tenantIds"],
        "1.15.0": ["signatureConfiguration", "sslCertificateKeyId", "tenantIds"],
        "1.36.9": ["signatureConfiguration", "sslCertificateKeyId", "tenantIds"],
        "1.37.0": ["applicationIds", "signatureConfiguration", "sslCertificateKeyId"],
        "1.47.9": ["applicationIds", "signatureConfiguration", "sslCertificateKeyId"],
        "1.48.0": ["applicationIds"],
        "1.65.0": ["applicationIds"],
      };
      for (const [version, names] of Object.entries(absent)) {
        const world = await start({ version });
        const shown = await namesShown(world);
        const always = Object.keys(strangers).filter((name) => name !== "sslCertificateKeyId");
        expect({ version, shown: always.filter((name) => !shown.includes(name)) }).toEqual({
          version,
          shown: names.filter((name) => name !== "sslCertificateKeyId"),
        });
        const fields = Object.fromEntries(names.map((name) => [name, strangers[name]]));
        const made = expectOk(await postWebhook(world, fields));
        for (const name of names) expect(made.at(`webhook.${name}`)).toBeUndefined();
        for (const name of Object.keys(strangers) as Name[])
          if (!names.includes(name) && name !== "data")
            expect((await postWebhook(world, { [name]: strangers[name] })).status).toBe(400);
      }
    });

    requirement("webhook.versions", "can be searched from 1.45.0 on", async () => {
      const world = await start({ version: "1.44.9" });
      expectEmpty(await world.caller.get("/api/webhook/search"), 404);
      expectEmpty(await world.caller.post("/api/webhook/search", {}), 404);
      expect(expectOk(await (await start({ version: "1.45.0" })).caller.get("/api/webhook/search")).at("total")).toBe(0);
    });

    requirement("webhook.versions", "take no patch documents before 1.39.0", async () => {
      const world = await start({ version: "1.38.0" });
      const path = `/api/webhook/${await makeWebhook(world)}`;
      expectOk(await world.caller.patch(path, { webhook: { description: "d" } }));
      expectRefusal(await world.caller.mergePatch(path, { webhook: {} }), 400, "[UnsupportedContentType]");
      expectRefusal(await world.caller.jsonPatch(path, []), 400, "[UnsupportedContentType]");
      expect(expectOk(await world.caller.get(path)).at("webhook")).toMatchObject({ ...leastWebhook, description: "d" });
    });
  });
});
