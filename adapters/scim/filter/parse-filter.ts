import { ScimError } from "../schema/errors.js";
import { resolvePath } from "../schema/resolve-path.js";
import type { ResourceType } from "../schema/types.js";
import type { Filter } from "./filter.js";
import { FilterParser } from "./filter-parser.js";
import { TokenReader } from "./token-reader.js";

/**
 * Parses a filter (RFC 7644, 3.4.2.2) and resolves its attributes in any case. At most 4,096 characters, parentheses at most 32
 * deep. Throws `ScimError` 400 `invalidFilter` for a syntax error, an unknown attribute, an attribute that is never returned, or
 * a comparison that the attribute's type does not support.
 */
export function parseFilter(type: ResourceType, text: unknown): Filter {
  if (typeof text !== "string") throw new ScimError(400, "invalidFilter", "The filter must be a text.");
  const reader = new TokenReader(text, "invalidFilter");
  const filter = new FilterParser(reader, { resolve: (name) => resolvePath(type, name), hasValueFilters: true }).parse();
  reader.assertEnd();
  return filter;
}
