import type { Adapter, AdapterPayload } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import { findClientMetadata } from "../exchange/client-metadata.js";
import { currentExchange } from "../exchange/exchange.js";
import { toLibrary, toStored } from "../exchange/library-time.js";
import { findUserInfoClaims } from "./asked-claims.js";

/** Access tokens are signed; {@link signAccessToken} stores their sessions. */
const unstored: ReadonlySet<string> = new Set(["AccessToken", "ClientCredentials"]);

/** Models with the login method of their user. */
const loggedIn: ReadonlySet<string> = new Set(["AuthorizationCode", "DeviceCode", "Session"]);

/** How long after its end a device code is answered with `expired_token`, in seconds; the device then starts again. */
export const expiredDeviceSeconds = 600;

/** The library's storage: reads and writes of the current exchange, committed together. */
export class RecordAdapter implements Adapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(name: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    if (unstored.has(this.#model)) return;
    const { authentication, authenticationType, proof, unit } = currentExchange();
    // A client that got a refresh token without a secret needs none later.
    const own = this.#model === "RefreshToken" && {
      proof,
      isPublic: authentication === "none",
      userInfoClaims: findUserInfoClaims(payload.claims),
    };
    const login = loggedIn.has(this.#model) && { authenticationType, proof };
    unit.upsert(
      this.#model,
      name,
      { ...toStored(payload), ...own, ...login, ...this.#grantOf(payload) },
      expiresIn + this.#keptSeconds,
    );
  }

  async find(name: string): Promise<AdapterPayload | undefined> {
    const exchange = currentExchange();
    if (this.#model === "Client") return findClientMetadata(exchange, name);
    if (unstored.has(this.#model)) return undefined;
    // Copied below, since the library adds members to the record.
    const found = await exchange.unit.find(this.#model, name);
    const login = found && this.#loginOf(found);
    if (login !== undefined) exchange.authenticationType = textOf(login.authenticationType);
    const proven = this.#model === "RefreshToken" ? found : login;
    // A device code that is not yet approved has no proof: keep the proof of the approving browser.
    if (proven !== undefined) exchange.proof = proven.proof ?? (this.#model === "DeviceCode" ? exchange.proof : undefined);
    return found && copyJson(toLibrary(found));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findByAlias(uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const found = await this.#findByAlias(userCode);
    currentExchange().isUnknownCode = found === undefined;
    return found;
  }

  async consume(name: string): Promise<void> {
    await currentExchange().unit.consume(this.#model, name);
  }

  async destroy(name: string): Promise<void> {
    await currentExchange().unit.destroy(this.#model, name);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    currentExchange().unit.revokeGrant(grantId);
  }

  // A new login in the interaction takes precedence over the earlier session.
  #loginOf(found: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
    if (loggedIn.has(this.#model)) return found;
    const login = this.#model === "Interaction" && isObject(found.result) ? found.result.login : undefined;
    return isObject(login) ? login : undefined;
  }

  get #keptSeconds(): number {
    return this.#model === "DeviceCode" ? expiredDeviceSeconds : 0;
  }

  // The end of a grant must end a consent page, but not a login page.
  #grantOf({ grantId, prompt }: AdapterPayload): { readonly grantId?: unknown } {
    const isLogin = this.#model === "Interaction" && isObject(prompt) && prompt.name !== "consent";
    return isLogin && grantId !== undefined ? { grantId: undefined } : {};
  }

  async #findByAlias(alias: string): Promise<AdapterPayload | undefined> {
    const found = await currentExchange().unit.findByAlias(this.#model, alias);
    return found && copyJson(toLibrary(found));
  }
}

/** Copies JSON in a third of the time of `structuredClone`. */
function copyJson(content: Readonly<Record<string, unknown>>): AdapterPayload {
  return JSON.parse(JSON.stringify(content));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
