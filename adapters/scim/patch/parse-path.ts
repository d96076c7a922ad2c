import { parseValuePath } from "../filter/filter-parser.js";
import { TokenReader } from "../filter/token-reader.js";
import { quote } from "../schema/errors.js";
import { resolvePath, subPath } from "../schema/resolve-path.js";
import type { ResourceType } from "../schema/types.js";
import type { PatchTarget } from "./patch-operation.js";

/**
 * Parses a PATCH path: `attribute`, `attribute.part`, `attribute[filter]` or `attribute[filter].part`, each optionally after the
 * URN of a schema (RFC 7644, 3.5.2). A compared part belongs to the filter. Throws `ScimError` 400 `invalidPath` for a syntax
 * error or an unknown attribute.
 */
export function parsePath(type: ResourceType, text: string): PatchTarget {
  const reader = new TokenReader(text.trim(), "invalidPath");
  const { kind, text: name } = reader.take("an attribute");
  const path = kind === "word" ? resolvePath(type, name) : undefined;
  if (path === undefined) throw reader.error(`names the unknown attribute ${quote(name)}`);
  if (reader.isAtEnd()) return path;
  if (!path.attribute.multiValued) throw reader.error(`has brackets behind ${quote(path.text)}, which is no list`);
  const { filter, part } = parseValuePath(reader, path);
  reader.assertEnd();
  return { ...((part && subPath(path, part.attribute.name)) ?? path), filter };
}
