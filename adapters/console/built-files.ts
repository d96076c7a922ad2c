import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type ApiRequest, type ApiResponse, findPackageFile } from "latchkey/ports";
import { browserHeaders } from "../internal/page-headers.js";

interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer<ArrayBuffer>;
  /** Compressed contents by encoding, each filled at the first request that accepts it. */
  readonly compressed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>;
}

type Encoding = keyof typeof compressors;

const compressors = {
  br: (bytes: Buffer): Promise<Buffer<ArrayBuffer>> =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer): Promise<Buffer<ArrayBuffer>> => promisify(gzip)(bytes, { level: 9 }),
};

/** Smaller files are not compressed. */
const leastBytes = 512;

/** The built browser application. */
export interface BuiltFiles {
  readonly page: string;
  /** Keyed by path below the mount, without a leading slash. */
  readonly files: ReadonlyMap<string, BuiltFile>;
}

/** The folder of the built application. @throws Error naming the files to copy, when a bundler left them out. */
export function findFolder(): string {
  return fileURLToPath(findPackageFile(import.meta.url, { source: "../../dist/console/", built: "console/" }));
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/**
 * Reads all built files into memory: requests are served from this table, so no request text reaches the file system.
 * @throws Error when the console is not built.
 */
export async function readBuiltFiles(): Promise<BuiltFiles> {
  const folder = findFolder();
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error("The console is not built: run `npm run build`.", { cause: error });
  });
  const bytes = new Map<string, Buffer<ArrayBuffer>>();
  for (const name of names) if (extname(name) !== "") bytes.set(name.split(sep).join("/"), await readFile(join(folder, name)));
  const files = [...bytes].flatMap(([name, plain]) => {
    const type = types[extname(name)];
    if (type === undefined) return [];
    return [[name, { type, plain, compressed: new Map() }] as const];
  });
  return { page: bytes.get("index.html")?.toString() ?? "", files: new Map(files) };
}

/**
 * Serves a built file in an encoding that the browser accepts. Its name changes with its contents, so browsers cache it forever.
 */
export async function writeFile(file: BuiltFile, { headers }: ApiRequest): Promise<ApiResponse> {
  const encoding = chooseEncoding(file, String(headers["accept-encoding"] ?? ""));
  return {
    status: 200,
    headers: {
      ...browserHeaders,
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(encoding && { "content-encoding": encoding }),
    },
    body: "",
    bytes: encoding === undefined ? file.plain : await compress(file, encoding),
  };
}

function chooseEncoding({ plain, type }: BuiltFile, accepted: string): Encoding | undefined {
  if (plain.length < leastBytes || !/^text|json|svg/.test(type)) return undefined;
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : undefined;
}

function compress({ compressed, plain }: BuiltFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = compressed.get(encoding);
  if (known !== undefined) return known;
  const made = compressors[encoding](plain);
  compressed.set(encoding, made);
  return made;
}
