import type { ClientCallOptions, Result } from "../../app/api.js";
import type { Content } from "./family-row.js";

type Call = (input: never, options?: ClientCallOptions) => Promise<Result<unknown>>;

/** The calls for a family of records in the typed client. */
export interface RecordCalls {
  readonly retrieve: Call;
  readonly create: Call;
  readonly patch: Call;
  readonly remove: Call;
}

/** The calls that a family row needs, without record types: a form does not know them, and the service validates the values. */
export interface Crud {
  readonly retrieve: (id: string, options: ClientCallOptions) => Promise<Result<Content>>;
  readonly create: (content: Content, options: ClientCallOptions) => Promise<Result<Content>>;
  readonly patch: (id: string, content: Content, options: ClientCallOptions) => Promise<Result<Content>>;
  readonly remove: (id: string, options: ClientCallOptions) => Promise<Result<unknown>>;
}

/** Adapts the typed calls of a family, which have different names for the id parameter, to one interface. */
export function crudOf(calls: RecordCalls, idParameter: string): Crud {
  const call = (verb: keyof RecordCalls, input: Content, options: ClientCallOptions) =>
    calls[verb](input as never, options) as Promise<Result<Content>>;
  return {
    retrieve: (id, options) => call("retrieve", { [idParameter]: id }, options),
    create: (content, options) => call("create", content, options),
    patch: (id, patch, options) => call("patch", { [idParameter]: id, patch, mode: "merge" }, options),
    remove: (id, options) => call("remove", { [idParameter]: id }, options),
  };
}
