import type { InProcessApi } from "latchkey";
import type { ApiRequest, ApiResponse, Random } from "latchkey/ports";

/** An account that has logged in in the browser before. */
export interface BrowserAccount {
  /** The id of the user. */
  readonly userId: string;
  /** Whether the account has a session in the browser, so that `select` can continue with it. Other accounts must log in. */
  readonly isLoggedIn: boolean;
}

/** A pending login, consent or account choice of an authorization request. */
export interface Interaction {
  /** The id of the interaction, at the end of its path: `/oauth2/interaction/{uid}`. */
  readonly uid: string;
  /** The requested action. `select_account`: choose one of `accounts`, or log in. */
  readonly prompt: "login" | "consent" | "select_account";
  /** The reasons, such as `no_session`, `login_prompt`, `max_age` and `scopes_missing`. */
  readonly reasons: readonly string[];
  /** The tenant of the users. */
  readonly tenantId: string;
  /** The application of the request. */
  readonly applicationId: string;
  /**
   * The parameters of the authorization request, such as `login_hint`, `scope`, `ui_locales`, `max_age`, `acr_values` and
   * `idp_hint`. They come from the client: escape them.
   */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The logged-in user; absent for none. */
  readonly session?: { readonly userId: string; readonly amr: readonly string[] } | undefined;
  /** The scopes without the user's consent, such as `email`; empty for a login. */
  readonly missingScopes: readonly string[];
  /** The accounts to choose from, the logged-in one first; empty unless `prompt` is `select_account`. */
  readonly accounts: readonly BrowserAccount[];
}

/** An interaction that has ended. */
export interface EndedInteraction {
  /**
   * `finished`: it led the browser back to the application. `expired`: its hour is over, or the session of its consent.
   * `cookieMissing`: the browser did not send its cookie, because it refuses cookies or is another browser.
   */
  readonly reason: "finished" | "expired" | "cookieMissing";
  /** The application of the request; undefined without the cookie. */
  readonly applicationId: string | undefined;
  /**
   * The start page of the application's site, for a link; undefined for an application without a site, and without the cookie.
   */
  readonly startUrl: string | undefined;
  /** The response that led back, for a repeated form; undefined once the application has used its code. */
  readonly answer: ApiResponse | undefined;
}

/** The key of a stored response to a form. */
export interface AnswerName {
  /** The tenant of the form. */
  readonly tenantId: string;
  /** A digest of a secret of the browser, the fields of the form, and a nonce that is new each time the form is shown. */
  readonly name: string;
}

/** A successful login. */
export interface LoginResult {
  /** The user; must belong to the tenant of the interaction. */
  readonly userId: string;
  /** The authentication methods for the claim `amr` (RFC 8176), such as `["pwd", "otp"]`. Default: no claim. */
  readonly amr?: readonly string[] | undefined;
  /** The authentication context class for the claim `acr`. Default: no claim. */
  readonly acr?: string | undefined;
  /**
   * The claim `authenticationType` of access tokens: `PASSWORD` (default), `PASSWORDLESS`, `TWO_FACTOR`, `WEBAUTHN`, or the one
   * of an identity provider, such as `GOOGLE`.
   */
  readonly authenticationType?: string | undefined;
  /** The instant of the login, in epoch seconds. Default: now. */
  readonly authTime?: number | undefined;
  /**
   * The proof of the login: the header `latchkey-proof` of its response, for a login that ends in a later request. If the proof
   * has ended by then, the login ends too. Default: the proof of the login by `call` in the same request.
   */
  readonly proof?: string | undefined;
  /** Whether the session survives the end of the browser. Default true. */
  readonly remember?: boolean | undefined;
}

/** The error that ends an authorization request. */
export interface AbortedInteraction {
  /** The error code for the client. Default `access_denied`. */
  readonly error?: string | undefined;
  /** A sentence for the developer of the client. */
  readonly error_description?: string | undefined;
}

/** A call of the API by a page, on behalf of its user. */
export interface ApiCall {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, such as `/api/login`. */
  readonly url: string;
  /** The body, sent as JSON. */
  readonly body?: object | undefined;
  /**
   * Whether to call without a principal, as for public routes, which then answer alike for unknown users. Default: as a visitor
   * of the pages, with the calls in docs/pages.md#what-pages-may-call.
   */
  readonly isPublic?: boolean | undefined;
  /**
   * The proof for calls that add a passkey: the header `latchkey-proof` of the login's response. Default: the proof of the login
   * by `call` in the same request.
   */
  readonly proof?: string | undefined;
}

/** The operations of a page. */
export interface InteractionHost {
  /** The path of the service, such as `/identity`; empty at the root. Start each link of a page with it. */
  readonly basePath: string;
  /** The public URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Secrets of the service for pages, the newest first: use them to seal values that a browser stores but must not change. */
  readonly secrets: readonly string[];
  /** Reads the clock of the service, in epoch milliseconds. */
  readonly clock: () => number;
  /** Returns random bytes of the service: use them for secrets of a browser. */
  readonly random: Random;
  /** The API for reading page data: applications, forms, identity providers, tenants, themes, and users by id. */
  readonly api: InProcessApi;
  /**
   * Calls the API as a visitor, with the address, the user agent and the device cookie of the browser. Pass `tenantId` for calls
   * about one tenant. Log in with `noJWT: true`: the tokens come from the provider.
   */
  call(request: ApiRequest, call: ApiCall, tenantId?: string): Promise<ApiResponse>;
  /**
   * Reads the form of a browser, within the limits of the service; empty without one. Throws IdentityError 400, 408, 413, 415.
   */
  readForm(request: ApiRequest): Promise<URLSearchParams>;
  /**
   * The interaction of a request below `/oauth2/interaction/{uid}`; undefined for an ended one, and for one of another browser.
   */
  find(request: ApiRequest): Promise<Interaction | undefined>;
  /**
   * Why the interaction of a request below `/oauth2/interaction/{uid}` has ended for the browser: it finished in the last hour,
   * or expired in the last day. Undefined for an unknown one, and for one that another browser ended. `login`, `select`,
   * `consent` and `abort` return its `answer` automatically.
   */
  findEnded(request: ApiRequest): Promise<EndedInteraction | undefined>;
  /** The response that {@link saveAnswer} stored under a name; undefined after a minute. */
  findAnswer(request: ApiRequest, stored: AnswerName): Promise<ApiResponse | undefined>;
  /**
   * Stores the response to a form for a minute, for a browser that sends the form twice. The name must include a secret of the
   * browser.
   */
  saveAnswer(request: ApiRequest, stored: AnswerName, answer: ApiResponse): Promise<void>;
  /**
   * Completes a login, or an account choice by a login: returns the redirect (303) to the provider. Throws IdentityError 404
   * without an interaction that waits for it.
   */
  login(request: ApiRequest, result: LoginResult): Promise<ApiResponse>;
  /**
   * Continues with an account that has a session in the browser. Returns the redirect (303). Throws IdentityError 404 for another
   * account.
   */
  select(request: ApiRequest, userId: string): Promise<ApiResponse>;
  /**
   * Completes a consent: grants the missing scopes, or only those in the list. Returns the redirect (303). Throws IdentityError
   * 404.
   */
  consent(request: ApiRequest, scopes?: readonly string[]): Promise<ApiResponse>;
  /** Ends an interaction with an error for the client. Returns the redirect (303). Throws IdentityError 404. */
  abort(request: ApiRequest, reason?: AbortedInteraction): Promise<ApiResponse>;
}

/** A form of the provider: send its fields, and the named ones, to its action by POST. */
export interface ProviderForm {
  /** The path to send the form to. */
  readonly action: string;
  /** Hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A page outside of an interaction. */
export type ProviderPage = {
  readonly tenantId?: string | undefined;
  readonly applicationId?: string | undefined;
  /** The preferred languages of the request, separated by spaces. */
  readonly uiLocales?: string | undefined;
} & (
  | {
      /** Asks for the code of a device, in the field `user_code`. */
      readonly kind: "deviceCode";
      readonly form: ProviderForm;
      /** The code in the URL, for the field. */
      readonly userCode?: string | undefined;
      /** The error of the submitted code. */
      readonly error?: "unknown" | "expired" | "used" | "aborted" | "missing" | undefined;
    }
  | {
      /** Asks whether the code is that of the user's device. The field `abort` with `yes` refuses. */
      readonly kind: "deviceConfirm";
      readonly form: ProviderForm;
      readonly userCode: string;
    }
  | { readonly kind: "deviceDone" }
  | {
      /** Explains that the browser refuses cookies, which connecting a device needs. */
      readonly kind: "cookiesMissing";
    }
  | {
      /** Asks whether to log out. The field `logout` with `yes` ends the session at all applications; without it nothing ends. */
      readonly kind: "logout";
      readonly form: ProviderForm;
    }
  | {
      /** Asks which login to end, for a browser with sessions of several tenants and a request without one. */
      readonly kind: "chooseLogout";
      /** The logouts, for links. */
      readonly choices: readonly { readonly name: string; readonly url: string }[];
    }
  | {
      /** Confirms that the user stays logged in. */
      readonly kind: "stillLoggedIn";
      /** The start page of the application's site, for a link; undefined without an application, and for one without a site. */
      readonly startUrl?: string | undefined;
    }
  | {
      readonly kind: "loggedOut";
      /** The URLs of front-channel logout: load each in a frame of the page. */
      readonly frames: readonly string[];
      /** The next URL for the browser; undefined for none. */
      readonly next?: string | undefined;
    }
  | {
      /** A request that cannot return to its client. */
      readonly kind: "error";
      readonly status: number;
      readonly error: string;
      readonly description?: string | undefined;
    }
);

/** The login pages: the built-in ones, or a host's own in the option `interactions`. */
export interface Interactions {
  /** Paths outside of `/oauth2` at and below which the pages answer, such as `/password/forgot`. Default: none. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Handles a request outside of the provider's routes: below `/oauth2/interaction/{uid}`, which the provider redirects browsers
   * to, or another path of the pages below `/oauth2` or `paths`. Undefined for an unknown path.
   */
  handle(request: ApiRequest, host: InteractionHost): Promise<ApiResponse | undefined>;
  /** Returns a page for the provider. Its status is that of the page, 200 except for errors. */
  show(page: ProviderPage, request: ApiRequest, host: InteractionHost): Promise<ApiResponse>;
}
