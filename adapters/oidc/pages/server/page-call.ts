import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { ApiCall, Interaction, InteractionHost } from "../../http/interactions.js";
import type { FieldContext, FormErrors } from "../html/fields.js";
import { noErrors } from "../html/fields.js";
import { type Attributes, attributes, type Html, html } from "../html/html.js";
import type { PageLanguage } from "../messages/locale.js";
import type { CookieOptions } from "../request/cookies.js";
import { FormFields } from "../request/read-form.js";
import { type FlowState, writeFlowState } from "./flow-state.js";
import type { PageCallParts } from "./page-call-parts.js";
import { linkTo, type PageName } from "./paths.js";
import type { Place } from "./place.js";

/** The trusted-device cookie of a tenant. */
const trustCookie = "latchkey_trust";

/** A request for a page, with helpers for its response. */
export class PageCall {
  readonly parts: PageCallParts;
  readonly #setCookies: (string | readonly string[])[] = [];
  #flow: FlowState;

  constructor(parts: PageCallParts) {
    this.parts = parts;
    this.#flow = parts.flow;
  }

  get request(): ApiRequest {
    return this.parts.request;
  }

  get host(): InteractionHost {
    return this.parts.host;
  }

  get interaction(): Interaction | undefined {
    return this.parts.interaction;
  }

  get place(): Place {
    return this.parts.place;
  }

  get language(): PageLanguage {
    return this.parts.language;
  }

  /** The earlier input of a field that is not secret, when the page is shown again. */
  draft(name: string): string | undefined {
    return this.parts.form.has(name) ? this.parts.form.text(name) : undefined;
  }

  /** The same call without form input: the next step of a form starts empty. */
  withoutForm(): PageCall {
    const next = new PageCall({ ...this.parts, flow: this.#flow, form: new FormFields([]) });
    next.#setCookies.push(this.setCookies);
    return next;
  }

  /** The state of the interaction in the browser. */
  get flow(): FlowState {
    return this.#flow;
  }

  get setCookies(): readonly string[] {
    return this.#setCookies.flat();
  }

  /** The name in the page header. */
  get name(): string {
    const { place, theme } = this.parts;
    return theme.title ?? place.application?.name ?? place.tenant?.name ?? "";
  }

  fields(errors: FormErrors = noErrors): FieldContext {
    return { errors, language: this.language };
  }

  /** The path of a page, in the same interaction or for the same application. */
  link(page: PageName, id?: string): string {
    return linkTo({ ...this.parts, base: this.host.basePath }, page, id);
  }

  /** A form that submits to this page, or another. */
  form(content: Html, page: PageName = this.parts.page, more: Attributes = {}): Html {
    const action = this.link(page, page === this.parts.page ? this.parts.id : undefined);
    const fields = Object.entries(this.parts.formToken.fields);
    const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
    return html`<form method="post" action="${action}"${attributes(more)}>${hidden}${content}</form>`;
  }

  /** Calls the API on behalf of the user. Passes the device cookie on to the browser. */
  async callApi(call: ApiCall): Promise<ApiResponse> {
    const response = await this.host.call(this.request, call, this.place.tenant?.id);
    const cookies = [response.headers["set-cookie"] ?? []].flat();
    this.#setCookies.push(cookies.filter((cookie) => cookie.startsWith("device=")));
    return response;
  }

  /** Sets a cookie; an empty value deletes it. */
  setCookie(name: string, value: string, options: CookieOptions = {}): void {
    this.#setCookies.push(this.parts.cookies.write(name, value, options));
  }

  /** Adds the cookies of another response. */
  keepCookies({ headers }: ApiResponse): void {
    this.#setCookies.push([headers["set-cookie"] ?? []].flat());
  }

  /** Changes the state of the interaction in the browser. */
  remember(changes: FlowState): void {
    this.#flow = { ...this.#flow, ...changes };
    this.#writeFlow();
  }

  /** Clears the state of the interaction in the browser. */
  forget(): void {
    this.#flow = {};
    this.#writeFlow();
  }

  #writeFlow(): void {
    const { cookies, interaction } = this.parts;
    if (interaction === undefined) return;
    const path = `${this.host.basePath}/oauth2/interaction/${interaction.uid}`;
    this.#setCookies.push(
      cookies.write(flowCookie, writeFlowState(this.#flow, { sealer: this.host, uid: interaction.uid }), { path }),
    );
  }

  /** The device's substitute for a second factor. */
  get trustId(): string | undefined {
    const id = this.parts.cookies.read(this.#trustCookie);
    return id !== undefined && /^[\w.~-]{1,1000}$/.test(id) ? id : undefined;
  }

  /** Trusts the device for a number of seconds. */
  trustDevice(twoFactorTrustId: string, maxAge: number): void {
    this.#setCookies.push(this.parts.cookies.write(this.#trustCookie, twoFactorTrustId, { maxAge }));
  }

  get #trustCookie(): string {
    return `${trustCookie}_${this.place.tenant?.id ?? ""}`;
  }
}

/** The cookie with the {@link FlowState} of an interaction, limited to its path. */
export const flowCookie = "latchkey_flow";
