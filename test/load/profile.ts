/** Who calls what, and how often: reads, writes, logins with a lambda, validated tokens, searches. Writes publish events to a webhook. */
import { Pool } from "undici";
import type { EventLedger, Kind } from "./judge.ts";
import type { Call } from "./open-loop.ts";

const groups = 10_000;
const members = 200;
/** So many created users stay before the oldest of them are removed. */
const usersThatStay = 500;
const password = "a password of the load test";
const claims = "function populate(jwt, user) { jwt.plan = user.data.plan; }";

type Body = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Calls with the service's answers checked, in the shares of the table below. */
export class Profile {
  readonly #pool: Pool;
  readonly #apiKey: string;
  readonly #events: EventLedger;
  readonly #groupIds: string[] = [];
  readonly #tokens: string[] = [];
  readonly #created: string[] = [];
  readonly #inTurn: readonly Call[];
  #applicationId = "";
  #count = 0;

  constructor(origin: string, apiKey: string, events: EventLedger) {
    this.#pool = new Pool(origin, { connections: 128 });
    this.#apiKey = apiKey;
    this.#events = events;
    const shares: readonly (readonly [percent: number, kind: Kind, run: Call["run"]])[] = [
      [46, "read", () => this.#readGroup()],
      [12, "read", () => this.#validateToken()],
      [14, "write", () => this.#patchGroup()],
      [7, "write", () => this.#createUser()],
      [7, "write", () => this.#removeUser()],
      [8, "search", () => this.#searchUsers()],
      [5, "search", () => this.#searchGroups()],
      [1, "login", () => this.#logIn()],
    ];
    this.#inTurn = shares.flatMap(([percent, kind, run]) => Array<Call>(percent).fill({ kind, run }));
  }

  /** Makes the webhook, the lambda, the application, groups and users that the calls need. */
  async prepare(sinkUrl: string): Promise<void> {
    const lambda = await this.#post("/api/lambda", { lambda: { name: "claims", type: "JWTPopulate", body: claims } });
    const lambdaConfiguration = { accessTokenPopulateId: idOf(lambda.lambda) };
    const made = await this.#post("/api/application", { application: { name: "load", lambdaConfiguration } });
    this.#applicationId = idOf(made.application);
    for (let number = 0; number < members; number++) await this.#register(number);
    for (let number = 0; number < groups; number += 50)
      await Promise.all(numbersFrom(number, 50).map((n) => this.#createGroup(n)));
    for (let number = 0; number < members; number++) await this.#logIn();
    const eventsEnabled = { "group.update": true, "user.create": true, "user.delete": true };
    const webhook = { url: sinkUrl, connectTimeout: 5_000, readTimeout: 5_000, global: true, eventsEnabled };
    await this.#post("/api/webhook", { webhook });
    for (let number = 0; number < usersThatStay; number++) await this.#createUser();
  }

  /** The next call, by chance in the shares of the table. */
  next(): Call {
    return oneOf(this.#inTurn);
  }

  async #register(number: number): Promise<void> {
    const user = { email: `member${number}@example.com`, password, data: { plan: "gold" } };
    const registration = { applicationId: this.#applicationId };
    await this.#post("/api/user/registration", { user, registration });
  }

  async #createGroup(number: number): Promise<void> {
    const { group } = await this.#post("/api/group", { group: { name: `group ${number}`, data: { count: 0 } } });
    this.#groupIds.push(idOf(group));
  }

  async #readGroup(): Promise<void> {
    const id = oneOf(this.#groupIds);
    const { group } = await this.#ask("GET", `/api/group/${id}`);
    if (idOf(group) !== id) throw new Error("A read answers another group.");
  }

  async #patchGroup(): Promise<void> {
    const id = oneOf(this.#groupIds);
    const count = ++this.#count;
    const { group } = await this.#ask("PATCH", `/api/group/${id}`, { group: { data: { count } } });
    if (group?.data === undefined) throw new Error("A patch answers no group.");
    this.#events.expect(`group.update ${id}`);
  }

  async #createUser(): Promise<void> {
    const email = `${crypto.randomUUID()}@example.com`;
    const { user } = await this.#post("/api/user", { user: { email, firstName: "Ada", data: { plan: "free" } } });
    this.#created.push(idOf(user));
    this.#events.expect(`user.create ${idOf(user)}`);
  }

  async #removeUser(): Promise<void> {
    if (this.#created.length <= usersThatStay) return await this.#createUser();
    const id = this.#created.shift();
    await this.#ask("DELETE", `/api/user/${id}?hardDelete=true`);
    this.#events.expect(`user.delete ${id}`);
  }

  async #searchUsers(): Promise<void> {
    const number = Math.floor(Math.random() * members);
    const query = encodeURIComponent(`member${number}@example.com`);
    const { total } = await this.#ask("GET", `/api/user/search?queryString=${query}`);
    if (Number(total) < 1) throw new Error("A search misses a user.");
  }

  async #searchGroups(): Promise<void> {
    const number = Math.floor(Math.random() * groups);
    const { total } = await this.#ask(
      "GET",
      `/api/group/search?name=${encodeURIComponent(`group ${number}`)}*&numberOfResults=20`,
    );
    if (Number(total) < 1) throw new Error("A search misses a group.");
  }

  async #validateToken(): Promise<void> {
    const { jwt } = await this.#ask("GET", "/api/jwt/validate", undefined, `Bearer ${oneOf(this.#tokens)}`);
    if (jwt?.plan !== "gold") throw new Error("A token lacks the claim of the lambda.");
  }

  async #logIn(): Promise<void> {
    const loginId = `member${this.#count++ % members}@example.com`;
    const body = { loginId, password, applicationId: this.#applicationId };
    const { token } = await this.#ask("POST", "/api/login", body);
    if (typeof token !== "string") throw new Error("A login answers no token.");
    // Tokens live for an hour: those that are asked about are the newest.
    this.#tokens.push(token);
    if (this.#tokens.length > members) this.#tokens.shift();
  }

  #post(path: string, body: Body): Promise<Answer> {
    return this.#ask("POST", path, body);
  }

  async #ask(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    authorization = this.#apiKey,
  ): Promise<Answer> {
    const headers = { authorization, ...(body && { "content-type": "application/json" }) };
    const answer = await this.#pool.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return text === "" ? {} : JSON.parse(text);
  }
}

interface Answer extends Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> {}

function idOf(record: Readonly<Record<string, unknown>> | undefined): string {
  return String(record?.id);
}

function oneOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to choose from.");
  return value;
}

function numbersFrom(start: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start + index);
}
