import { afterAll, beforeAll } from "vitest";
import { familyOperations, routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";

/**
 * Adds routes to every service of this test file, and operations to the in-process interface. Removes both after the file,
 * because other test files of the process share the tables. Call it at the top of the test file.
 */
export function addRoutes(added: readonly Route<AnyOperation>[], operations: Readonly<Record<string, object>> = {}): void {
  const all = routes as Route<AnyOperation>[];
  const families: object = familyOperations;
  beforeAll(() => {
    all.push(...added);
    Object.assign(families, operations);
  });
  afterAll(() => {
    all.splice(all.length - added.length, added.length);
    for (const name of Object.keys(operations)) Reflect.deleteProperty(families, name);
  });
}
