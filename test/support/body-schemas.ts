import { readdirSync } from "node:fs";

const resources = new URL("../../src/records/", import.meta.url);
const folders = readdirSync(resources, { recursive: true, encoding: "utf8" }).filter((file) => /(^|\/)schema\.ts$/.test(file));
const modules: readonly object[] = await Promise.all(folders.map((file) => import(new URL(file, resources).href)));

/** The exports of all families' schema files, by name. */
export const bodySchemas: Readonly<Record<string, unknown>> = Object.assign({}, ...modules);
