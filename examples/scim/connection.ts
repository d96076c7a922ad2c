/** HTTP as directories speak it. */

/** A resource of SCIM, as far as the directories here read it. */
export interface Resource {
  readonly id: string;
  readonly [attribute: string]: unknown;
}

/** The answer to a search. */
export interface Found {
  readonly totalResults: number;
  readonly Resources?: readonly Resource[];
}

/** The SCIM server of one tenant. */
export class Connection {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  /** Sends a request and returns its answer. Throws an Error with status and text of a refusal. */
  async send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        accept: "application/scim+json",
        authorization: `Bearer ${this.#token}`,
        "content-type": "application/scim+json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as Answer;
  }

  /** Sends a PATCH. */
  async patch(path: string, operations: readonly object[]): Promise<void> {
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
    await this.send("PATCH", path, { schemas, Operations: operations });
  }
}

/** URNs of the schemas of users and groups. */
export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const enterpriseSchema = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/** Remembers the ids that a server gave. Throws an Error for an unknown name. */
export class KnownIds {
  readonly #ids = new Map<string, string>();

  set(name: string, id: string): void {
    this.#ids.set(name, id);
  }

  get(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`${name} was not provisioned.`);
    return id;
  }
}
