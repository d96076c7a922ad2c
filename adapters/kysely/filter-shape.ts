import type { ColumnValue, Filter } from "latchkey/storage";
import type { SqlProfile } from "./sql-connection.js";

/**
 * How a filter is built, without its values, which are added to `parameters` as its SQL binds them: filters of one shape have the same
 * SQL. Undefined where the SQL depends on the values.
 */
export function shapeOf(profile: SqlProfile, filter: Filter, parameters: unknown[]): string | undefined {
  switch (filter.op) {
    case "equals":
      if (filter.value === null) return `${filter.column}=null`;
      parameters.push(profile.toParameter(filter.value));
      return `${filter.column}=`;
    case "in":
      return shapeOfList(profile, filter.column, filter.values, parameters);
    case "compare":
      parameters.push(filter.value);
      return filter.column + filter.comparison;
    case "and":
    case "or":
      return shapeOfAll(profile, filter, parameters);
    case "not":
      return wrap("not", shapeOf(profile, filter.filter, parameters));
    case "exists": {
      const { filter: inner, foreignColumn, isNarrow = false, localColumn, table } = filter;
      const shape = inner === undefined ? "" : shapeOf(profile, inner, parameters);
      return wrap(`${localColumn} ${table}.${foreignColumn} ${isNarrow}`, shape);
    }
    case "matches":
      return undefined;
  }
}

function shapeOfList(
  profile: SqlProfile,
  column: string,
  values: readonly ColumnValue[],
  parameters: unknown[],
): string | undefined {
  if (values.includes(null)) return undefined;
  parameters.push(profile.listTest.toParameter(values.map(profile.toParameter)));
  return `${column} in`;
}

function shapeOfAll(
  profile: SqlProfile,
  { filters, op }: Filter & { op: "and" | "or" },
  parameters: unknown[],
): string | undefined {
  let shape = "";
  for (const part of filters) {
    const inner = shapeOf(profile, part, parameters);
    if (inner === undefined) return undefined;
    shape += `${inner},`;
  }
  return wrap(op, shape);
}

function wrap(name: string, shape: string | undefined): string | undefined {
  return shape === undefined ? undefined : `${name}(${shape})`;
}
