/** Shapes that the in-process inputs and outputs of all families share. */
import type { OperationSignature } from "./operation.js";

/** Which record. */
export type IdInput<Parameter extends string> = { readonly [Name in Parameter]: string };

/** PATCH in process: the document, and how it is read. `append` is the `application/json` flavour. */
export type PatchInput<Parameter extends string> = IdInput<Parameter> & {
  readonly patch: unknown;
  readonly mode?: "append" | "merge" | "json";
};

/** What every search takes beside its own criteria (docs/reference/wire.md#resources). */
export interface PageCriteria {
  /** 0 to 10,000; default 25. */
  readonly numberOfResults?: number;
  /** From 0. */
  readonly startRow?: number;
  /** `field [ASC|DESC], …`. */
  readonly orderBy?: string;
  /** The token that the page before answered. */
  readonly nextResults?: string;
}

/** The input of a search. */
export interface SearchInput<Criteria> {
  /** Criteria and page. Default: the first 25 records in the default order. */
  readonly search?: Criteria & PageCriteria;
}

/** The output of a search: one page, the count of all matches, and the token of the next page if there is one. */
export type SearchOutput<Plural extends string, Wire> = { readonly [Name in Plural]: readonly Wire[] } & {
  readonly total: number;
  readonly nextResults?: string;
};

/** What the calls of a family of records are made of: names on the wire, and types. */
interface RecordShape {
  /** The parameter that names a record: `groupId`. */
  readonly id: string;
  /** The member of a body that holds one record: `group`. */
  readonly wrapper: string;
  /** The member that holds several: `groups`. */
  readonly plural: string;
  readonly record: unknown;
  readonly request: object;
}

type OneRecord<Shape extends RecordShape> = { readonly [Name in Shape["wrapper"]]: Shape["record"] };

/** The calls that all families of records have. */
export interface RecordOperations<Shape extends RecordShape> {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<Shape["request"] & Partial<IdInput<Shape["id"]>>, OneRecord<Shape>>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<Shape["id"]>, OneRecord<Shape>>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly [Name in Shape["plural"]]: readonly Shape["record"][] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<Shape["request"] & IdInput<Shape["id"]>, OneRecord<Shape>>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<Shape["id"]>, OneRecord<Shape>>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<Shape["id"]>, undefined>;
}

/** The calls of a family of records that can be searched. */
export interface SearchableOperations<Shape extends RecordShape & { readonly criteria: object }> extends RecordOperations<Shape> {
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<Shape["criteria"]>, SearchOutput<Shape["plural"], Shape["record"]>>;
}
