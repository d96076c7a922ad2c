import { setTimeout as pause } from "node:timers/promises";
import type { CallHistory } from "./judge.ts";

/** The API key of the services. */
export const apiKey = "the-api-key-of-the-crash-test-0123456789";

/** What the callers of several services have been answered. */
export class Load implements CallHistory {
  readonly #origins: readonly string[];
  /** When writes and reads were answered, on the clock of `performance.now`. */
  readonly writes: number[] = [];
  readonly reads: number[] = [];
  /** How often what was answered that is neither success nor unavailability. */
  readonly unexpected: Map<string, number> = new Map();
  /** The groups that were acknowledged, with the last number that was written to each. */
  readonly groups: Map<string, number> = new Map();
  /** The events of what was acknowledged: type and subject. */
  readonly events: string[] = [];
  /** How many changes were sent, by the event that each causes. */
  readonly sent: Map<string, number> = new Map();
  #isOver = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(origins: readonly string[]) {
    this.#origins = origins;
  }

  begin(callers: number): void {
    this.#working = Promise.all(Array.from({ length: callers }, (_, caller) => this.#work(caller)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  /** Asks one of the services; undefined where it was not answered, or with unavailability. */
  async ask(turn: number, method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>> | undefined> {
    const headers = { authorization: apiKey, "content-type": "application/json" };
    const signal = AbortSignal.timeout(20_000);
    const sent = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(`${this.#origins[turn % this.#origins.length]}${path}`, sent);
      const text = await response.text();
      if (response.status === 200) return text === "" ? {} : JSON.parse(text);
      if (response.status === 503) return undefined;
      this.#noteUnexpected(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}: ${response.status} ${text.slice(0, 200)}`);
    } catch {
      // The service is away.
    }
    return undefined;
  }

  /** Has many callers change the same group for so many milliseconds. */
  async storm(forMs: number): Promise<void> {
    const [id = ""] = this.groups.keys();
    const end = performance.now() + forMs;
    const one = async (caller: number): Promise<void> => {
      for (let count = 0; performance.now() < end; count++) {
        if ((await this.#patch(caller, id, { [`storm${caller}`]: count })) === undefined) await pause(20);
        else this.writes.push(performance.now());
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, caller) => one(caller)));
  }

  async #work(caller: number): Promise<void> {
    let own: string | undefined;
    for (let count = 0; !this.#isOver; count++) {
      const turn = caller + count;
      if (own === undefined || count % 4 === 0) own = (await this.#create(turn, `${caller} ${count}`)) ?? own;
      if (own === undefined) {
        await pause(20);
        continue;
      }
      await this.#change(turn, own, count);
      await this.#read(turn, own);
      if (count % 5 === 0) await this.#createUser(turn);
    }
  }

  async #create(turn: number, name: string): Promise<string | undefined> {
    const group = { name: `${name} ${crypto.randomUUID()}`, data: { count: 0 } };
    const answer = await this.ask(turn, "POST", "/api/group", { group });
    if (answer === undefined) return undefined;
    const { id } = answer.group as { readonly id: string };
    this.#acknowledge(`group.create ${id}`);
    this.groups.set(id, 0);
    await this.#findOwn(turn, group.name);
    return id;
  }

  // A replica may serve it.
  async #findOwn(turn: number, name: string): Promise<void> {
    const answer = await this.ask(turn, "GET", `/api/group/search?name=${encodeURIComponent(name)}`);
    if (answer === undefined) return;
    this.reads.push(performance.now());
    if (answer.total !== 1) this.#noteUnexpected("a search misses what the same service has acknowledged");
  }

  #noteUnexpected(about: string): void {
    this.unexpected.set(about, (this.unexpected.get(about) ?? 0) + 1);
  }

  async #createUser(turn: number): Promise<void> {
    const user = { email: `${crypto.randomUUID()}@example.com` };
    const answer = await this.ask(turn, "POST", "/api/user", { user });
    if (answer !== undefined) this.#acknowledge(`user.create ${(answer.user as { readonly id: string }).id}`);
  }

  async #change(turn: number, id: string, count: number): Promise<void> {
    const answer = await this.#patch(turn, id, { count });
    if (answer === undefined) return void (await pause(20));
    this.groups.set(id, count);
    this.#acknowledge(`group.update ${id}`);
  }

  #patch(turn: number, id: string, data: object): ReturnType<Load["ask"]> {
    const event = `group.update ${id}`;
    this.sent.set(event, (this.sent.get(event) ?? 0) + 1);
    return this.ask(turn, "PATCH", `/api/group/${id}`, { group: { data } });
  }

  #acknowledge(event: string): void {
    this.events.push(event);
    this.writes.push(performance.now());
  }

  async #read(turn: number, id: string): Promise<void> {
    const paths = [
      `/api/group/${id}`,
      "/api/group/search?name=1*&numberOfResults=5",
      "/api/user/search?queryString=*&numberOfResults=5",
    ];
    const answer = await this.ask(turn, "GET", paths[turn % paths.length] ?? "");
    if (answer === undefined) await pause(20);
    else this.reads.push(performance.now());
  }
}

/** The longest time without an answer from `begin` to `end`, in milliseconds. */
export function longestGap(answers: readonly number[], begin: number, end: number): number {
  const within = [begin, ...answers.filter((time) => time > begin && time < end).sort((one, other) => one - other), end];
  return Math.round(Math.max(...within.slice(1).map((time, index) => time - (within[index] ?? time))));
}
