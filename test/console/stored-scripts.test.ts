// A script in every text field of every family: no screen runs one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { legalBody } from "../soak/bodies/legal-bodies.js";
import { requirement } from "../support/requirement.js";
import { openPage, type Stage, settle, startStage } from "./support/browser.js";

const probe = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } } }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const openApi: Document = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"));

function resolve(schema: Schema): Schema {
  const named = schema.$ref === undefined ? schema : (openApi.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const parts = (named.allOf ?? []).map(resolve);
  return { ...named, properties: Object.assign({}, ...parts.map(({ properties }) => properties), named.properties) };
}

/** A body with the probe in each text that may say anything, beside what it must say. */
function withProbes(schema: Schema, base: unknown, number: number, depth = 0): unknown {
  const { enum: options, format, properties = {}, type } = resolve(schema);
  if (type === "string" || (typeof base === "string" && type === undefined)) {
    const isFree = options === undefined && format === undefined && !/[@\d-]{8}|^https?:/.test(String(base ?? ""));
    return isFree ? `${probe}${number}` : base;
  }
  if (Object.keys(properties).length === 0) return base;
  const given = (base ?? {}) as Readonly<Record<string, unknown>>;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const value =
      name === "data" && depth > 0
        ? { note: probe, [probe]: probe }
        : depth > 3 && given[name] === undefined
          ? undefined
          : withProbes(member, given[name], number, depth + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  const all = { ...given, ...Object.fromEntries(members) };
  return Object.keys(all).length === 0 ? undefined : all;
}

function withoutPath(value: unknown, [first = "", ...rest]: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { [first]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 || member === undefined ? others : { ...others, [first]: withoutPath(member, rest) };
}

/** Creates a record of each family; fields that refuse the probe keep what they had. */
async function plant({ identity, tenantId }: Stage): Promise<readonly string[]> {
  const planted: string[] = [];
  const { apiKey } = await identity.apiKeys.create({ apiKey: { name: "Planter", retrievable: true } });
  const headers = { authorization: apiKey.key ?? "" };
  for (const [path, { post }] of Object.entries(openApi.paths)) {
    const schema = post?.requestBody?.content["application/json"]?.schema;
    if (
      schema === undefined ||
      path.includes("{") ||
      /search|export|send|test|login|logout|import|start|validate|describe|preview|oauth|refresh|verify|two-factor|replay|resend|password|notify/.test(
        path,
      )
    )
      continue;
    const base = legalBody("POST", path, 0);
    let body = withProbes(schema, base, planted.length);
    for (let attempt = 0; attempt < 25; attempt++) {
      const isGlobal =
        /^\/api\/(?:consent|email\/template|message|form|ip-acl|key|lambda|messenger|user-action|webhook|tenant|entity\/type|integration)/.test(
          path,
        );
      const response = await identity.inject({
        method: "POST",
        url: path,
        headers: { ...headers, ...(!isGlobal && { [identity.tenantHeaderName]: tenantId }) },
        body,
      });
      if (response.status < 300) planted.push(path);
      if (response.status !== 400) break;
      const { fieldErrors = {} } = JSON.parse(response.body || "{}");
      const wrong = Object.keys(fieldErrors);
      if (wrong.length === 0) break;
      for (const field of wrong) {
        const steps = field.split(/[.[\]]+/).filter((step) => step !== "");
        const legal = steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], base);
        body = withoutPath(body, steps);
        if (legal !== undefined) body = withValue(body, steps, legal);
      }
    }
  }
  return planted;
}

function withValue(value: unknown, [first = "", ...rest]: readonly string[], wanted: unknown): unknown {
  const own = (value ?? {}) as Record<string, unknown>;
  return { ...own, [first]: rest.length === 0 ? wanted : withValue(own[first], rest, wanted) };
}

/** The screens that links lead to, two of each kind. */
async function crawl(page: Page, { mount, url }: Stage): Promise<ReadonlyMap<string, number>> {
  const kinds = new Map<string, number>();
  const seen = new Set<string>();
  const open = [`${mount}/`];
  for (let path = open.shift(); path !== undefined && seen.size < 150; path = open.shift()) {
    const kind = path.replace(/[\da-f]{8}-[\da-f-]{27}/g, ":id").replace(/\?.*/, "");
    if (seen.has(path) || (kinds.get(kind) ?? 0) >= 2) continue;
    seen.add(path);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    await page.goto(new URL(path, url).href);
    await settle(page);
    expect([path, await page.locator('img[src="x"]').count()]).toEqual([path, 0]);
    const hrefs = await page.locator("a[href]").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) {
      const target = new URL(href);
      if (target.origin === new URL(url).origin && target.pathname.startsWith(mount) && !target.hash)
        open.push(target.pathname + target.search);
    }
  }
  return kinds;
}

requirement("console.scripts", "a script in every text field of every family runs on no screen", async () => {
  await using stage = await startStage();
  const planted = await plant(stage);
  expect(planted.length).toBeGreaterThan(12);
  await using opened = await openPage(stage);
  const kinds = await crawl(opened.page, stage);
  expect(kinds.size).toBeGreaterThan(20);
  expect(opened.faults).toEqual([]);
});

test("the probe would be seen: a page without a policy runs it", async () => {
  await using stage = await startStage();
  await using opened = await openPage(stage);
  await opened.page.goto("about:blank");
  await opened.page.setContent(probe);
  await expect.poll(() => opened.faults.length).toBeGreaterThan(0);
  opened.faults.length = 0;
});
