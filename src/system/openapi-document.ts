import { includesPlan, type Plan } from "../availability/availability.js";
import { existsIn } from "../availability/versions.js";
import type { OperationResult } from "../http/transport/write-response.js";
import { toNamedValue } from "../operations/family/wire-records.js";
import type { OperationCall } from "../operations/operation.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { Names } from "../ports/names.js";
import { lazily } from "../shared/async.js";
import { isObject } from "../shared/objects.js";
import { etagOfText } from "../shared/text.js";

interface KeptAnswer {
  readonly basePath: string;
  readonly result: OperationResult;
}

const loadDocument = lazily(() => import("latchkey/openapi.json", { with: { type: "json" } }));

// Caches the last document, because a service usually has one mount path.
const kept = new WeakMap<ServiceContext, KeptAnswer>();

/** Returns the OpenAPI document of a service, for its version, plan, names and mount path. */
export async function getOpenApi({ service, request }: OperationCall): Promise<OperationResult> {
  const basePath = request?.basePath ?? "";
  const known = kept.get(service);
  if (known?.basePath === basePath) return known.result;
  const result = toResult(service, basePath, (await loadDocument()).default);
  kept.set(service, { basePath, result });
  return result;
}

function toResult({ version, plan, names }: ServiceContext, basePath: string, document: DocumentPart): OperationResult {
  const { openapi, info, ...others } = narrowDocument(document, { version, plan, names });
  // The description is about marks, which are removed.
  const { description: _description, ...about } = info as DocumentPart;
  const own = {
    openapi,
    info: { ...about, version },
    ...others,
    servers: [{ url: basePath === "" ? "/" : basePath }],
  };
  const json = JSON.stringify(own);
  return { status: 200, json, etag: etagOfText(json) };
}

/** A part of the OpenAPI document. */
export interface DocumentPart {
  readonly [member: string]: unknown;
}

/** The service's settings for its document. */
export interface DocumentSettings {
  readonly version: string;
  readonly plan: Plan;
  readonly names: Names;
}

const marks: ReadonlySet<string> = new Set(["x-since", "x-until", "x-plan", "x-name", "x-values"]);

/**
 * Narrows the full document to a version and plan, and replaces vendor names: removes parts that are marked for others, and the
 * marks.
 */
export function narrowDocument(document: DocumentPart, settings: DocumentSettings): DocumentPart {
  const narrowed = narrowPart(document, settings);
  const { securitySchemes } = narrowed.components as { readonly securitySchemes: object };
  const paths = Object.entries(narrowed.paths as DocumentPart).filter(([, item]) => Object.keys(item as object).length > 0);
  const own = { ...narrowed, paths: Object.fromEntries(paths) };
  return withoutSchemes(own, new Set(Object.keys(securitySchemes))) as DocumentPart;
}

function narrow(value: unknown, settings: DocumentSettings): unknown {
  if (Array.isArray(value)) return value.filter((item) => isThere(item, settings)).map((item) => narrow(item, settings));
  return isObject(value) ? narrowPart(value, settings) : value;
}

function narrowPart(part: DocumentPart, settings: DocumentSettings): DocumentPart {
  const kept = Object.entries(part).filter(([key, value]) => !marks.has(key) && isThere(value, settings));
  const copy = Object.fromEntries(kept.map(([key, value]) => [hostName(key, value, settings), narrow(value, settings)]));
  if (Array.isArray(copy.enum)) {
    copy.enum = copy.enum
      .filter((value) => hasValue(part["x-values"], String(value), settings))
      .map((value) => hostValue(part["x-values"], value, settings));
    if ((copy.enum as readonly unknown[]).length === 0) return { not: {} };
  }
  if (part["x-name"] === "service") copy.name = `X-${settings.names.service}-TenantId`;
  return isObject(part.properties) && Array.isArray(copy.required) ? withRequired(copy, part.properties, settings) : copy;
}

// Removes missing properties from `required`, and renames the others.
function withRequired(copy: DocumentPart, properties: DocumentPart, settings: DocumentSettings): DocumentPart {
  const required = (copy.required as readonly string[])
    .filter((name) => isThere(properties[name], settings))
    .map((name) => hostName(name, properties[name], settings));
  const { required: _all, ...others } = copy;
  return required.length === 0 ? others : { ...others, required };
}

function hostName(key: string, value: unknown, { names }: DocumentSettings): string {
  const word = isObject(value) && value.in === undefined ? value["x-name"] : undefined;
  return word === undefined ? key : names[word as keyof Names];
}

function hostValue(values: unknown, value: unknown, { names }: DocumentSettings): unknown {
  const { name } = ((values ?? {}) as Record<string, DocumentPart | undefined>)[String(value)] ?? {};
  return name === undefined ? value : toNamedValue(names, name as keyof Names);
}

function hasValue(values: unknown, value: string, settings: DocumentSettings): boolean {
  const { since, until, plan } = ((values ?? {}) as Record<string, DocumentPart | undefined>)[value] ?? {};
  return isThere({ "x-since": since, "x-until": until, "x-plan": plan }, settings);
}

function isThere(value: unknown, { version, plan }: DocumentSettings): boolean {
  if (!isObject(value)) return true;
  const { "x-since": since, "x-until": until, "x-plan": least } = value as Readonly<Record<string, string | undefined>>;
  const lifetime = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  // A boolean outside of the plan is shown, and is false.
  return existsIn(version, lifetime) && (value.type === "boolean" || includesPlan(plan, least as Plan | undefined));
}

function withoutSchemes(value: unknown, known: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSchemes(item, known));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isSecurity = key === "security" && Array.isArray(member);
      const kept = isSecurity ? member.filter((one: object) => Object.keys(one).every((name) => known.has(name))) : member;
      return [key, withoutSchemes(kept, known)];
    }),
  );
}
