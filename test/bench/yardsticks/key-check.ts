import { hash } from "node:crypto";

/** Knows an API key by its digest: one sha256 and one look-up. */
export const createKeyCheck = (...keys: readonly string[]): ((key: string | undefined) => boolean) => {
  const known = new Map(keys.map((key) => [hash("sha256", key), { key: "bench" }]));
  return (key) => key !== undefined && known.has(hash("sha256", key));
};
