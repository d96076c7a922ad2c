import type { Adapter, AdapterPayload } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import { findClientMetadata } from "../exchange/client-metadata.js";
import { currentExchange } from "../exchange/exchange.js";
import { toLibrary, toStored } from "../exchange/library-time.js";
import { findUserInfoClaims } from "./asked-claims.js";

/** Access tokens are signed, and their sessions are stored by {@link signAccessToken}. */
const unstored: ReadonlySet<string> = new Set(["AccessToken", "ClientCredentials"]);

/** Records that say how their user logged in. */
const loggedIn: ReadonlySet<string> = new Set(["AuthorizationCode", "DeviceCode", "Session"]);

/** So long after its end the code of a device is answered `expired_token`, in seconds: the device begins again where it learns that. */
export const expiredDeviceSeconds = 600;

/** The storage of the provider's library: reads and writes of the exchange at hand, which are committed together. */
export class RecordAdapter implements Adapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(name: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    if (unstored.has(this.#model)) return;
    const { authentication, authenticationType, proof, unit } = currentExchange();
    // A client that got a refresh token without a secret need not have one later.
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
    // The library adds members to what it finds.
    const found = await exchange.unit.find(this.#model, name);
    const login = found && this.#loginOf(found);
    if (login !== undefined) exchange.authenticationType = textOf(login.authenticationType);
    const proven = this.#model === "RefreshToken" ? found : login;
    // A device's code that nobody allowed yet has no proof: that of the browser which allows it counts.
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

  // A login of this moment comes after the session of before.
  #loginOf(found: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
    if (loggedIn.has(this.#model)) return found;
    const login = this.#model === "Interaction" && isObject(found.result) ? found.result.login : undefined;
    return isObject(login) ? login : undefined;
  }

  get #keptSeconds(): number {
    return this.#model === "DeviceCode" ? expiredDeviceSeconds : 0;
  }

  // The end of a grant ends the page that asks for more of it, and not one that somebody logs in at.
  #grantOf({ grantId, prompt }: AdapterPayload): { readonly grantId?: unknown } {
    const isLogin = this.#model === "Interaction" && isObject(prompt) && prompt.name !== "consent";
    return isLogin && grantId !== undefined ? { grantId: undefined } : {};
  }

  async #findByAlias(alias: string): Promise<AdapterPayload | undefined> {
    const found = await currentExchange().unit.findByAlias(this.#model, alias);
    return found && copyJson(toLibrary(found));
  }
}

/** Records are JSON: this takes a third of the time of a structured clone. */
function copyJson(content: Readonly<Record<string, unknown>>): AdapterPayload {
  return JSON.parse(JSON.stringify(content));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
