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

/** Remembers on a device that its second factor was shown, by tenant. */
const trustCookie = "latchkey_trust";

/** A request for a page, with what its answer needs. */
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

  /** What was entered into a field that is no secret, where the page is shown again. */
  draft(name: string): string | undefined {
    return this.parts.form.has(name) ? this.parts.form.text(name) : undefined;
  }

  /** The same call without what was entered: the next step of a form begins empty. */
  withoutForm(): PageCall {
    const next = new PageCall({ ...this.parts, flow: this.#flow, form: new FormFields([]) });
    next.#setCookies.push(this.setCookies);
    return next;
  }

  /** What the browser remembers of the interaction. */
  get flow(): FlowState {
    return this.#flow;
  }

  /** The headers that set cookies. */
  get setCookies(): readonly string[] {
    return this.#setCookies.flat();
  }

  /** What the page is headed with. */
  get name(): string {
    const { place, theme } = this.parts;
    return theme.title ?? place.application?.name ?? place.tenant?.name ?? "";
  }

  /** What the fields of a form are made with. */
  fields(errors: FormErrors = noErrors): FieldContext {
    return { errors, language: this.language };
  }

  /** The path of a page, of the same interaction or for the same application. */
  link(page: PageName, id?: string): string {
    return linkTo({ ...this.parts, base: this.host.basePath }, page, id);
  }

  /** A form that leads to this page, or another. */
  form(content: Html, page: PageName = this.parts.page, more: Attributes = {}): Html {
    const action = this.link(page, page === this.parts.page ? this.parts.id : undefined);
    const fields = Object.entries(this.parts.formToken.fields);
    const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
    return html`<form method="post" action="${action}"${attributes(more)}>${hidden}${content}</form>`;
  }

  /** Calls the API for the user of the request. The cookie by which the service recognizes the browser goes back to it. */
  async callApi(call: ApiCall): Promise<ApiResponse> {
    const response = await this.host.call(this.request, call, this.place.tenant?.id);
    const cookies = [response.headers["set-cookie"] ?? []].flat();
    this.#setCookies.push(cookies.filter((cookie) => cookie.startsWith("device=")));
    return response;
  }

  /** Sets a cookie; empty values take it away. */
  setCookie(name: string, value: string, options: CookieOptions = {}): void {
    this.#setCookies.push(this.parts.cookies.write(name, value, options));
  }

  /** Sends cookies along that another answer sets. */
  keepCookies({ headers }: ApiResponse): void {
    this.#setCookies.push([headers["set-cookie"] ?? []].flat());
  }

  /** Changes what the browser remembers of the interaction. */
  remember(changes: FlowState): void {
    this.#flow = { ...this.#flow, ...changes };
    this.#writeFlow();
  }

  /** Ends what the browser remembers of the interaction. */
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

  /** What the device presents in place of a second factor. */
  get trustId(): string | undefined {
    const id = this.parts.cookies.read(this.#trustCookie);
    return id !== undefined && /^[\w.~-]{1,1000}$/.test(id) ? id : undefined;
  }

  /** Remembers for so many seconds that the device is trusted. */
  trustDevice(twoFactorTrustId: string, maxAge: number): void {
    this.#setCookies.push(this.parts.cookies.write(this.#trustCookie, twoFactorTrustId, { maxAge }));
  }

  get #trustCookie(): string {
    return `${trustCookie}_${this.place.tenant?.id ?? ""}`;
  }
}

/** Holds the {@link FlowState} of an interaction, below whose path it is good. */
export const flowCookie = "latchkey_flow";
