import { fieldError, generalError } from "../../errors/identity-error.js";
import { applyJsonPatch } from "../../json/json-patch.js";
import { isJsonObject, type JsonObject, PatchError } from "../../json/json-value.js";
import { applyAppendMerge, applyMergePatch } from "../../json/merge-patch.js";
import type { BaseRecord, Family } from "../family/family.js";
import { normalizeKeys, normalizePointers } from "../family/map-keys.js";
import { toHostPaths, withFamilyWrapper } from "../family/wire-records.js";
import type { OperationCall } from "../operation.js";

/**
 * The request document of a record with the body of a PATCH applied, in the body's flavor.
 * @throws IdentityError 400 when the patch cannot be applied.
 */
export function applyPatch<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
  document: JsonObject,
): unknown {
  if (call.body === undefined) throw fieldError("missing", family.wrapper);
  try {
    if (call.bodyKind === "jsonPatch") return applyJsonPatch(document, normalizePointers(family, call.body, document));
    if (!isJsonObject(call.body)) throw generalError("invalidJSON", "The body must be a JSON object.");
    const patch = normalizeKeys(family, withFamilyWrapper(family, call.body), document);
    if (call.bodyKind === "mergePatch") return applyMergePatch(document, patch);
    const { names } = call.service;
    return applyAppendMerge(document, patch, {
      sets: toHostPaths(names, family, family.setPaths),
      replaced: toHostPaths(names, family, family.replacedPaths),
    });
  } catch (error) {
    throw toPatchRefusal(error);
  }
}

function toPatchRefusal(error: unknown): unknown {
  if (!(error instanceof PatchError)) return error;
  if (error.reason === "forbiddenKey") return fieldError("invalid", error.path ?? "patch");
  return generalError(error.reason === "testFailed" ? "JSONPatchTestFailed" : "invalidPatch", error.message);
}
