import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApiRequest, ApiResponse } from "latchkey";
import { securityHeaders } from "./page.js";

/** A file of the browser application, in the forms that it was built in. */
interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer<ArrayBuffer>;
  readonly gzip: Buffer<ArrayBuffer> | undefined;
  readonly brotli: Buffer<ArrayBuffer> | undefined;
}

/** The built browser application. */
export interface BuiltFiles {
  /** The page, as it was built. */
  readonly page: string;
  /** By their path below the mount, without a slash before it. */
  readonly files: ReadonlyMap<string, BuiltFile>;
}

const folder = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../dist/console/" : "./console/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/**
 * Reads what was built, all of it: requests are answered from this table, so none of their texts names a file.
 * @throws Error where nothing was built.
 */
export async function readBuiltFiles(): Promise<BuiltFiles> {
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error("The console is not built: run `npm run build`.", { cause: error });
  });
  const bytes = new Map<string, Buffer<ArrayBuffer>>();
  for (const name of names) if (extname(name) !== "") bytes.set(name.split(sep).join("/"), await readFile(join(folder, name)));
  const files = [...bytes].flatMap(([name, plain]) => {
    const type = types[extname(name)];
    if (type === undefined) return [];
    return [[name, { type, plain, gzip: bytes.get(`${name}.gz`), brotli: bytes.get(`${name}.br`) }] as const];
  });
  return { page: bytes.get("index.html")?.toString() ?? "", files: new Map(files) };
}

/** A built file as a response. Its name changes with its contents, so browsers keep it for good. */
export function writeFile({ type, plain, gzip, brotli }: BuiltFile, { headers }: ApiRequest): ApiResponse {
  const accepted = String(headers["accept-encoding"] ?? "");
  const form =
    brotli !== undefined && /\bbr\b/.test(accepted)
      ? { bytes: brotli, encoding: "br" }
      : gzip !== undefined && /\bgzip\b/.test(accepted)
        ? { bytes: gzip, encoding: "gzip" }
        : { bytes: plain, encoding: undefined };
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(form.encoding && { "content-encoding": form.encoding }),
    },
    body: "",
    bytes: form.bytes,
  };
}
