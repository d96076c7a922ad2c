import { createServer, type Server, type Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import { type BerElement, element, message, readElements, result, searchEntry } from "./ber.js";

/** A request that the server was sent. */
export interface LdapRequest {
  readonly id: number;
  readonly kind: "bind" | "extended" | "search" | "unbind";
  /** Of a bind. */
  readonly dn: string;
  readonly password: string;
  /** Of a search: the value that is looked for, the attributes, and the most entries that are wanted. */
  readonly base: string;
  readonly filterTag: number;
  readonly attribute: string;
  readonly value: string;
  readonly attributes: readonly string[];
  readonly sizeLimit: number;
}

/** An entry of a directory. */
export interface LdapEntry {
  readonly dn: string;
  readonly password: string;
  readonly attributes: Readonly<Record<string, readonly (Buffer | string)[]>>;
}

/** A directory of a test. */
export interface LdapServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly LdapRequest[];
  /** The entries, which a test may change. */
  readonly entries: LdapEntry[];
  /** Stops answering; the connections stay. */
  isSilent: boolean;
}

/** What a server answers in place of what a directory does; undefined: as a directory. */
export type Answer = (request: LdapRequest, socket: Socket) => Buffer | "nothing" | undefined;

export const systemAccount = { dn: "cn=reader,dc=example,dc=com", password: "reader's secret" };

interface ServerOptions {
  readonly entries?: readonly LdapEntry[];
  readonly answer?: Answer;
  /** With StartTLS. */
  readonly tls?: SecureContext;
  readonly onConnect?: (socket: Socket) => void;
}

/** Starts a directory on the loopback address that ends with the test. */
export async function startLdapServer(options: ServerOptions = {}): Promise<LdapServer> {
  const requests: LdapRequest[] = [];
  const entries = [...(options.entries ?? [])];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, { ...options, entries }, { requests, state });
    options.onConnect?.(socket);
  });
  const port = await listen(server, sockets);
  const state: LdapServer = { url: `ldap://127.0.0.1:${port}`, port, requests, entries, isSilent: false };
  return state;
}

async function listen(server: Server, sockets: ReadonlySet<Socket>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as { readonly port: number }).port;
}

interface Serving {
  readonly requests: LdapRequest[];
  readonly state: LdapServer;
}

function serve(socket: Socket, options: ServerOptions & { readonly entries: readonly LdapEntry[] }, serving: Serving): void {
  socket.on("error", () => undefined);
  socket.on("data", (bytes: Buffer) => {
    for (const { content } of readElements(bytes)) {
      const request = toRequest(content);
      serving.requests.push(request);
      if (serving.state.isSilent) continue;
      if (request.kind === "extended" && options.tls !== undefined) return upgrade(socket, request, options, serving);
      const answer = options.answer?.(request, socket) ?? answerAsDirectory(request, options.entries);
      if (answer !== "nothing") socket.write(answer);
    }
  });
}

function upgrade(
  socket: Socket,
  { id }: LdapRequest,
  options: ServerOptions & { readonly entries: readonly LdapEntry[] },
  serving: Serving,
): void {
  socket.removeAllListeners("data");
  socket.write(message(id, result(0x78, 0)));
  const secured = new TLSSocket(socket, { isServer: true, secureContext: options.tls });
  serve(secured, options, serving);
}

const kinds: Readonly<Record<number, LdapRequest["kind"]>> = { 96: "bind", 99: "search", 119: "extended", 66: "unbind" };

function toRequest(bytes: Buffer): LdapRequest {
  const [id, operation] = readElements(bytes);
  const kind = kinds[operation?.tag ?? 0] ?? "unbind";
  const parts = kind === "unbind" ? [] : readElements(operation?.content ?? Buffer.alloc(0));
  const textOf = (part: BerElement | undefined): string => part?.content.toString() ?? "";
  const filter = kind === "search" ? parts[6] : undefined;
  const [attribute, value] = filter === undefined ? [] : readElements(filter.content);
  return {
    id: id?.content.at(-1) ?? 0,
    kind,
    dn: kind === "bind" ? textOf(parts[1]) : "",
    password: kind === "bind" ? textOf(parts[2]) : "",
    base: textOf(parts[0]),
    filterTag: filter?.tag ?? 0,
    attribute: textOf(attribute),
    value: textOf(value),
    attributes: kind === "search" ? readElements(parts[7]?.content ?? Buffer.alloc(0)).map(textOf) : [],
    sizeLimit: parts[3]?.content.at(-1) ?? 0,
  };
}

function answerAsDirectory(request: LdapRequest, entries: readonly LdapEntry[]): Buffer | "nothing" {
  const { dn, id, kind, password } = request;
  if (kind === "unbind") return "nothing";
  if (kind === "extended") return message(id, result(0x78, 2));
  if (kind === "search") return findEntries(request, entries);
  // As RFC 4513 allows: a bind without a password is an anonymous one.
  const isRight = password === "" || [systemAccount, ...entries].some((one) => one.dn === dn && one.password === password);
  return message(id, result(0x61, isRight ? 0 : 49));
}

function findEntries({ attribute, attributes, id, value }: LdapRequest, entries: readonly LdapEntry[]): Buffer {
  const found = entries.filter((entry) => entry.attributes[attribute]?.includes(value));
  const shown = found.map((entry) => {
    const asked = Object.entries(entry.attributes).filter(([name]) => attributes.includes(name));
    return message(id, searchEntry(entry.dn, Object.fromEntries(asked)));
  });
  return Buffer.concat([...shown, message(id, result(0x65, 0))]);
}

/** Bytes that are an element of this tag which claims to be longer than it is. */
export function cutOff(tag: number): Buffer {
  return element(tag, Buffer.from([0x30, 0x7f, 0x04]));
}
