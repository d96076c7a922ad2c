// Every place of a tenant and of an application that names a template, found in the schemas that bodies are parsed with.
import { expect } from "vitest";
import * as z from "zod";
import { type Answer, codesOf, expectOk } from "../support/answer.js";
import { bodySchemas } from "../support/body-schemas.js";
import { makeTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
}

function placesIn({ properties = {} }: Shape, path: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    /templateId$/i.test(name) ? [[...path, name]] : placesIn(member, [...path, name]),
  );
}

const placesOf = (name: string): readonly (readonly string[])[] => {
  const schema = bodySchemas[name];
  return schema instanceof z.ZodType ? placesIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape) : [];
};

const nest = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

const isOfTexts = (path: readonly string[]): boolean => path.includes("phoneConfiguration") || path.includes("sms");

async function makeOne(world: World, path: readonly string[], number: number): Promise<string> {
  if (!isOfTexts(path)) {
    await makeTemplate(world, { name: path.join(".") }, uuid(number));
    return `/api/email/template/${uuid(number)}`;
  }
  const messageTemplate = { name: path.join("."), type: "SMS", defaultTemplate: "Code" };
  expectOk(await world.caller.post(`/api/message/template/${uuid(number)}`, { messageTemplate }));
  return `/api/message/template/${uuid(number)}`;
}

forEachStorage((start) => {
  requirement("account.templates-in-use", "every place names a template that exists and stays", async () => {
    const world = await start({ version: "1.69.0" });
    const { caller } = world;
    const application = expectOk(await caller.post("/api/application", { application: { name: "Shop" } })).textAt(
      "application.id",
    );
    const owners = [
      ...placesOf("tenantRequest").map((path) => [`/api/tenant/${world.defaultTenantId}`, path] as const),
      ...placesOf("applicationRequest").map((path) => [`/api/application/${application}`, path] as const),
    ];
    expect(owners.length).toBeGreaterThan(40);
    const wrong: unknown[] = [];
    for (const [index, [owner, path]] of owners.entries()) {
      const name = async (id: string): Promise<Answer> => caller.mergePatch(owner, nest(path, id));
      const unknown = await name(uuid(999));
      if (codesOf(unknown).join() !== `[invalid]${path.join(".")}`) wrong.push([path, "unknown", unknown.text]);
      const template = await makeOne(world, [owner, ...path], 2_000 + index);
      const known = await name(uuid(2_000 + index));
      if (known.status !== 200) wrong.push([path, "known", known.text]);
      const removed = await caller.delete(template);
      if (!/^\[inUse\]\w+emplateId$/.test(codesOf(removed).join())) wrong.push([path, "in use", removed.status, removed.text]);
    }
    expect(wrong).toEqual([]);
  });
});
