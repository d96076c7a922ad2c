import type { Filter } from "./filter.js";

/** Whether a filter uses an attribute of the core schema, such as `members`. */
export function namesAttribute(filter: Filter, name: string): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.some((part) => namesAttribute(part, name));
    case "not":
      return namesAttribute(filter.filter, name);
    default:
      return filter.path.extension === undefined && filter.path.attribute.name === name;
  }
}
