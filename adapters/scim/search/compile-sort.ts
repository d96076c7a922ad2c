import { resolvePath } from "../schema/resolve-path.js";
import type { ResourceType } from "../schema/types.js";

const userFields: Readonly<Record<string, string>> = { id: "id", "meta.created": "insertInstant" };
const groupFields: Readonly<Record<string, string>> = { id: "id", "meta.created": "insertInstant", displayName: "name" };

/**
 * Returns the API's sort field that orders records like the SCIM attribute (RFC 7644, 3.4.2.3); undefined without one. Records
 * without a value come first in the API and last in SCIM, so optional attributes have no field.
 */
export function compileSort(type: ResourceType, sortBy: string): string | undefined {
  const fields = type.endpoint === "/Groups" ? groupFields : userFields;
  const text = resolvePath(type, sortBy)?.text ?? "";
  return Object.hasOwn(fields, text) ? fields[text] : undefined;
}
