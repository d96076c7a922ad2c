import type { ImportJob } from "latchkey/types";
import { UsageError } from "../command/command.js";

/** The HTTP API of a service, called with an API key. */
export class JobApi {
  readonly #origin: string;
  readonly #apiKey: string;

  constructor(url: string, apiKey: string) {
    if (!/^https?:\/\//.test(url)) throw new UsageError("--url takes the root of a service, such as https://id.example.com.");
    this.#origin = url.replace(/\/+$/, "");
    this.#apiKey = apiKey;
  }

  async begin(rows: AsyncIterable<Uint8Array>, parameters: URLSearchParams): Promise<ImportJob> {
    const body = ReadableStream.from(rows);
    const options = { method: "POST", body, duplex: "half", headers: { "content-type": "application/x-ndjson" } } as const;
    return this.#readJob(await this.#call(`/api/user/import/job?${parameters}`, options));
  }

  async find(id: string): Promise<ImportJob> {
    return this.#readJob(await this.#call(`/api/user/import/job/${encodeURIComponent(id)}`));
  }

  /** Resumes a failed or canceled job. */
  async resume(id: string): Promise<ImportJob> {
    await this.#call(`/api/user/import/job/${encodeURIComponent(id)}/resume`, { method: "POST" });
    return this.find(id);
  }

  async results(id: string): Promise<AsyncIterable<Uint8Array>> {
    return bodyOf(await this.#call(`/api/user/import/job/${encodeURIComponent(id)}/results`));
  }

  /** The users of the service, as lines. */
  async export(request: object): Promise<AsyncIterable<Uint8Array>> {
    const options = { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" } };
    return bodyOf(await this.#call("/api/user/export", options));
  }

  /** The id of a record by its name, or the id itself. */
  async findId(path: "application" | "group" | "tenant", name: string): Promise<string> {
    if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name)) return name.toLowerCase();
    const answer: Readonly<Record<string, readonly { readonly id: string; readonly name?: string }[] | undefined>> = JSON.parse(
      await (await this.#call(`/api/${path}`)).text(),
    );
    const found = answer[`${path}s`]?.find((record) => record.name === name);
    if (found === undefined) throw new UsageError(`There is no ${path} ${name}.`);
    return found.id;
  }

  async #call(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const own = { authorization: this.#apiKey, ...(headers as Record<string, string>) };
    const response = await fetch(`${this.#origin}${path}`, { ...init, headers: own }).catch((cause: Error) => {
      // An error of the rows themselves may have ended the call.
      for (const error of [cause, cause.cause]) if (error instanceof UsageError) throw error;
      throw new UsageError(`${this.#origin} does not answer: ${(cause.cause as Error | undefined)?.message ?? cause.message}`, {
        cause,
      });
    });
    if (response.ok) return response;
    throw new UsageError(toComplaint(response.status, await response.text()));
  }

  async #readJob(response: Response): Promise<ImportJob> {
    const { job }: { readonly job: ImportJob } = JSON.parse(await response.text());
    return job;
  }
}

const reasons: Readonly<Record<number, string>> = {
  401: "The API key is wrong, has expired, or may not do this.",
  404: "There is no such job, or the URL is not that of a service of this release.",
};

function toComplaint(status: number, text: string): string {
  const messages = [...text.matchAll(/"message":("(?:[^"\\]|\\.)*")/g)].map(([, message = '""']) => String(JSON.parse(message)));
  return [`The service answered ${status}.`, ...(messages.length > 0 ? messages : [reasons[status] ?? ""])].join(" ").trim();
}

function bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  return body ?? ReadableStream.from([]);
}
