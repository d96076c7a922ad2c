import type { Access, RecordVerb, Route } from "../../http/route/define-route.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { StoredRecord } from "../../ports/storage.js";
import { lazily } from "../../shared/async.js";
import type { BaseRecord, Family, SearchableFamily } from "../family/family.js";
import type { FamilyRow, FamilyRulesModule, Members, OperationRow } from "../family/family-row.js";
import { type AnyOperation, jsonOnly, type OperationCall, type OperationsOf, patchKinds } from "../operation.js";
import { runCreate } from "./create.js";
import { runPatch, toRequestDocument } from "./patch.js";
import { runList, runRetrieve, runSearch } from "./read.js";
import { runRemove } from "./remove.js";
import { runUpdate } from "./update.js";

/** An operation without a route, and the callers that may call it. */
export interface InProcessOperation {
  readonly operation: AnyOperation;
  readonly access: Access;
}

/** A family with the operations and routes of its row. */
export interface BoundFamily<Name extends string, Signatures, Row = FamilyRow<Name, Signatures>> {
  readonly row: Row;
  readonly operations: OperationsOf<Signatures>;
  readonly routes: readonly Route<AnyOperation>[];
  readonly inProcess: Readonly<Record<string, InProcessOperation>>;
  /** Loads its rules: returns a promise at first, and then the module itself. */
  readonly load: () => FamilyRulesModule | Promise<FamilyRulesModule>;
  readonly toRequestDocument: (call: OperationCall, stored: StoredRecord) => Promise<Members>;
}

/** A family of any types. */
export type AnyFamily = Omit<BoundFamily<string, Record<string, unknown>>, "operations"> & {
  readonly operations: Readonly<Record<string, AnyOperation>>;
};

type SomeFamily<Wire extends BaseRecord, Request> = Family<Wire, Request> | SearchableFamily<Wire, Request>;

/** The module of a family's rules. A family of records is exported under its name. */
type RulesModule<Name extends string, Wire extends BaseRecord, Request> = FamilyRulesModule & {
  readonly [key in Name]?: SomeFamily<Wire, Request>;
};

const verbs: Readonly<
  Record<
    RecordVerb,
    <Wire extends BaseRecord, Request>(call: OperationCall, family: Family<Wire, Request>) => Promise<OperationResult>
  >
> = { create: runCreate, retrieve: runRetrieve, list: runList, update: runUpdate, patch: runPatch, remove: runRemove };

type AreaModule<Name extends string, Wire extends BaseRecord, Request> = {
  readonly [key in Name]: RulesModule<Name, Wire, Request>;
};

/** The operations and routes of a row. The first call loads its rules from `area`. */
export function defineFamily<Name extends string, Signatures, Wire extends BaseRecord, Request, Row>(
  row: Row & FamilyRow<Name, Signatures>,
  area: () => AreaModule<Name, Wire, Request> | Promise<AreaModule<Name, Wire, Request>>,
): BoundFamily<Name, Signatures, Row> {
  const loaded = lazily(async () => (await area())[row.name]);
  const toOperation = (verb: string, how: OperationRow): AnyOperation => {
    const find = how.isCustom === true ? findCustom : findStandard<Name, Wire, Request>;
    return defineRowOperation(row, [verb, how], async () => find(row.name, verb, await loaded()));
  };
  const entries = Object.entries<OperationRow>(row.operations).map(([verb, how]) => [verb, toOperation(verb, how)] as const);
  const byVerb = new Map(entries);
  return {
    row,
    operations: Object.fromEntries(entries) as OperationsOf<Signatures>,
    routes: row.routes.flatMap((route) => {
      const target = byVerb.get(route.target);
      return target === undefined ? [] : [{ ...route, target }];
    }),
    inProcess: Object.fromEntries(
      Object.entries(row.inProcess ?? {}).map(([verb, how]) => [verb, { operation: toOperation(verb, how), access: how.access }]),
    ),
    load: loaded,
    toRequestDocument: async (call, stored) => toRequestDocument(call, familyOf(row.name, await loaded()), stored),
  };
}

function defineRowOperation(
  row: Pick<FamilyRow<string, unknown>, "name" | "idParameter" | "addressParameters">,
  [verb, how]: readonly [verb: string, how: OperationRow],
  find: () => Promise<AnyOperation["run"]>,
): AnyOperation {
  const { bulkLists, isCustom, parameters = [], streamedBody, streamedType, toRefusal } = how;
  const isAddressed = isCustom !== true && verb !== "search" && row.idParameter !== undefined;
  const names = isAddressed ? [row.idParameter, ...(row.addressParameters ?? [])] : [];
  const ready = lazily(find);
  // No promise once the rules are loaded.
  const run: AnyOperation["run"] = (call) => {
    const start = ready();
    return start instanceof Promise ? start.then((found) => found(call)) : start(call);
  };
  const name = `${row.name}.${verb}`;
  return Object.freeze({
    name,
    parameters: [...names, ...parameters],
    bodyKinds: how.bodyKinds ?? (verb === "patch" ? patchKinds : jsonOnly),
    bulkLists,
    streamedBody,
    streamedType,
    run,
    toRefusal,
  });
}

function findCustom(name: string, verb: string, { operations }: FamilyRulesModule): AnyOperation["run"] {
  const run = operations?.[verb];
  if (run === undefined) throw new Error(`The rules of ${name} have no operation ${verb}.`);
  return run;
}

function findStandard<Name extends string, Wire extends BaseRecord, Request>(
  name: Name,
  verb: string,
  module: RulesModule<Name, Wire, Request>,
): AnyOperation["run"] {
  const searched: SomeFamily<Wire, Request> | undefined = module[name];
  if (searched !== undefined && verb === "search") return (call) => runSearch(call, searched);
  if (!isVerb(verb)) throw new Error(`The rules of ${name} have no operation ${verb}.`);
  const family = familyOf(name, module);
  return (call) => verbs[verb](call, family);
}

function familyOf<Name extends string, Wire extends BaseRecord, Request>(
  name: Name,
  module: RulesModule<Name, Wire, Request>,
): Family<Wire, Request> {
  const family: SomeFamily<Wire, Request> | undefined = module[name];
  if (family === undefined || !("uniquePaths" in family)) throw new Error(`The rules of ${name} are not those of records.`);
  return family;
}

function isVerb(verb: string): verb is RecordVerb {
  return Object.hasOwn(verbs, verb);
}
