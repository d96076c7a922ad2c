import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { etagOfText } from "../../shared/text/etag.js";
import type { OperationResult } from "../transport/write-response.js";
import { type DocumentPart, narrowDocument } from "./narrow-document.js";

interface KeptAnswer {
  readonly basePath: string;
  readonly result: OperationResult;
}

// The last one: a service is mounted at one path, as a rule.
const kept = new WeakMap<ServiceContext, KeptAnswer>();

/** The OpenAPI document of a service: of its version, plan and names, and of the path that it is mounted at. */
export async function getOpenApi({ service, request }: OperationCall): Promise<OperationResult> {
  const basePath = request?.basePath ?? "";
  const known = kept.get(service);
  if (known?.basePath === basePath) return known.result;
  const result = toResult(service, basePath, (await import("../../../openapi.json", { with: { type: "json" } })).default);
  kept.set(service, { basePath, result });
  return result;
}

function toResult({ version, plan, names }: ServiceContext, basePath: string, document: DocumentPart): OperationResult {
  const { openapi, info, ...others } = narrowDocument(document, { version, plan, names });
  // It describes marks, which were removed.
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
