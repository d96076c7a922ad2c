/** Shapes that the in-process inputs and outputs of all families share. */

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
