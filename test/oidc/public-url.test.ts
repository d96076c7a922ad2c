// A public URL that is not written as URLs are compared.
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";

requirement("openid.public-url", "the issuer and the endpoints have one spelling, however the option is written", async () => {
  const spellings = ["HTTPS://ID.Example.com:443/identity/", "https://id.example.com/identity"];
  for (const publicUrl of spellings) {
    const { identity } = await startWorld(memoryStorage(), { publicUrl, protocols: [oidc()] });
    const base = "https://id.example.com/identity";
    expect(identity.publicUrl).toBe(base);
    const { tenant } = await identity.tenants.create({ tenant: { name: "Root", issuer: publicUrl.replace(/\/$/, "") } });
    const { tenant: other } = await identity.tenants.create({ tenant: { name: "Other" } });
    const read = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse((await identity.inject({ url: `${path}/.well-known/openid-configuration` })).body);
    expect(await read("")).toMatchObject({ issuer: base });
    expect(await read(`/${tenant.id}`)).toMatchObject({ issuer: base });
    const document = await read(`/${other.id}`);
    expect(document.issuer).toBe(`${base}/${other.id}`);
    const urls = Object.entries(document).filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri");
    expect(urls.filter(([, url]) => !String(url).startsWith(`${base}/`))).toEqual([]);
    // Nobody else has the issuer of the service, in any spelling.
    for (const issuer of spellings)
      await expect(identity.tenants.create({ tenant: { name: "Third", issuer } })).rejects.toMatchObject({ status: 400 });
  }
});
