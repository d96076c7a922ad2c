import { object, type Schema } from "../../http/schema/fields.js";

/** The schemas of one kind of settings, by member. */
export type Fields<T> = { readonly [Name in keyof T]-?: Schema<T[Name]> };

/** An object of settings. Each member has a default of its own, so a caller may leave out all of them. */
export function settings<T>(fields: Fields<T>): Schema<T> {
  return object<Record<string, Schema<unknown>>>(fields).prefault({}) as Schema<T>;
}
