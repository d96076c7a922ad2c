import { object, type Schema } from "../../http/schema/fields.js";

/** The schemas of one kind of settings, by member. */
export type Fields<T> = { readonly [Name in keyof T]-?: Schema<T[Name]> };

/** An object of settings, in which every member is optional and has its own default. */
export function settings<T>(fields: Fields<T>): Schema<T> {
  return object<Record<string, Schema<unknown>>>(fields).prefault({}) as Schema<T>;
}
