/** Race K1: who presents an API key that is known – its expiry, its last use and its source along with it – against one digest and a Map. */
import { answerJobs } from "../harness/turns.ts";
import { createKeyCheck } from "../yardsticks/key-check.ts";

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
}

interface Store {
  findApiKey(digest: string): Promise<object | undefined>;
  noteUse(keyId: string, instant: number, address: string): void;
}

interface AuthenticatorModule {
  readonly Authenticator: new (context: {
    readonly store: Store;
    readonly clock: () => number;
    readonly addressOf: (request: Request) => string;
    readonly tokens: object;
    readonly absentSchemes: ReadonlySet<string>;
    readonly isCrossSite: () => boolean;
  }) => { authenticate(request: Request): object | Promise<object> };
}

const { Authenticator }: AuthenticatorModule = await import(String(process.env.BENCH_MODULE));
const key = "lk_0123456789012345678901234567890123456789012345678";
const uses = new Map<string, object>();
const principal = { kind: "apiKey", keyId: "k", grants: "all", isKeyManager: false };
const authenticator = new Authenticator({
  store: {
    findApiKey: async () => principal,
    noteUse: (keyId, instant, address) => void uses.set(keyId, { keyId, instant, address }),
  },
  clock: Date.now,
  addressOf: (one) => one.remoteAddress,
  tokens: {},
  absentSchemes: new Set(),
  isCrossSite: () => false,
});
const headers = { host: "localhost:9011", accept: "*/*", authorization: key, "user-agent": "bench", connection: "keep-alive" };
const request: Request = { headers, rawHeaders: Object.entries(headers).flat(), remoteAddress: "127.0.0.1" };
const isKnown = createKeyCheck(key);

// What is remembered is read again each second, as for any caller: that is part of the price.
const ours = (): void => {
  const found = authenticator.authenticate(request);
  if (found !== principal && !(found instanceof Promise)) throw new Error("another principal");
};
const base = (): void => {
  if (!isKnown(request.headers.authorization)) throw new Error("an unknown key");
};

if ((await authenticator.authenticate(request)) !== principal) throw new Error("the key is not known");
answerJobs({ roundsPerTurn: 2_000, work: { ours, base } });
