import type { InProcessApi } from "latchkey";
import type { ApiRequest, ApiResponse, Random } from "latchkey/ports";

/** An account that logged in in a browser before. */
export interface BrowserAccount {
  /** The id of the user. */
  readonly userId: string;
  /** Whether it has a session in the browser, so that `select` goes on with it. The others log in. */
  readonly isLoggedIn: boolean;
}

/** A login, a consent or the choice of an account that an authorization request waits for. */
export interface Interaction {
  /** The id of the interaction, which its path ends with: `/oauth2/interaction/{uid}`. */
  readonly uid: string;
  /** What the user is asked for. `select_account`: to choose one of `accounts`, or to log in. */
  readonly prompt: "login" | "consent" | "select_account";
  /** Why, such as `no_session`, `login_prompt`, `max_age` and `scopes_missing`. */
  readonly reasons: readonly string[];
  /** The tenant whose users can log in. */
  readonly tenantId: string;
  /** The application that asked. */
  readonly applicationId: string;
  /**
   * The parameters of the authorization request, such as `login_hint`, `scope`, `ui_locales`, `max_age`, `acr_values` and `idp_hint`. They are
   * what the client sent: escape them.
   */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The user who is logged in already; absent for none. */
  readonly session?: { readonly userId: string; readonly amr: readonly string[] } | undefined;
  /** The scopes that the user has not consented to, such as `email`; empty for a login. */
  readonly missingScopes: readonly string[];
  /** The accounts to choose from, the one that is logged in first; empty unless `prompt` is `select_account`. */
  readonly accounts: readonly BrowserAccount[];
}

/** An interaction that a page can do nothing with. */
export interface EndedInteraction {
  /**
   * `finished`: it led its browser back to the application. `expired`: its hour is over, or the session of its consent. `cookieMissing`: the browser
   * did not send its cookie, as one that refuses cookies, and as another browser.
   */
  readonly reason: "finished" | "expired" | "cookieMissing";
  /** The application that asked; undefined without the cookie. */
  readonly applicationId: string | undefined;
  /** The first page of the application's site, for a link; undefined for an application that is no site, and without the cookie. */
  readonly startUrl: string | undefined;
  /** The answer that led back, for a form that a browser sends twice; undefined once the application used its code. */
  readonly answer: ApiResponse | undefined;
}

/** What the answer to a form is stored under. */
export interface AnswerName {
  /** The tenant that the form is for. */
  readonly tenantId: string;
  /** A digest of a secret of the browser, the fields of the form, and a nonce that is new each time the form is shown. */
  readonly name: string;
}

/** A user who proved who he is. */
export interface LoginResult {
  /** The user; must belong to the tenant of the interaction. */
  readonly userId: string;
  /** How the user proved it, as the claim `amr` says (RFC 8176), such as `["pwd", "otp"]`. Default: not said. */
  readonly amr?: readonly string[] | undefined;
  /** The authentication context class, as the claim `acr` says. Default: not said. */
  readonly acr?: string | undefined;
  /**
   * How the user logged in, as the claim `authenticationType` of access tokens says: `PASSWORD` (default), `PASSWORDLESS`, `TWO_FACTOR`,
   * `WEBAUTHN`, or that of an identity provider, such as `GOOGLE`.
   */
  readonly authenticationType?: string | undefined;
  /** When the user proved it, in epoch seconds. Default: now. */
  readonly authTime?: number | undefined;
  /**
   * What the user proved: the header `latchkey-proof` of the answer to the login, for a login that ends in a later request. What has ended the
   * proof by then ends the login. Default: that of the login by `call` in the same request.
   */
  readonly proof?: string | undefined;
  /** Whether the browser keeps the session after it is closed. Default true. */
  readonly remember?: boolean | undefined;
}

/** How an authorization request ends where the user does not go on. */
export interface AbortedInteraction {
  /** The error code that the client receives. Default `access_denied`. */
  readonly error?: string | undefined;
  /** A sentence for the developer of the client. */
  readonly error_description?: string | undefined;
}

/** A call of the API that a page makes for its user. */
export interface ApiCall {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, such as `/api/login`. */
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /**
   * Whether the API sees nobody as its caller, as its public routes do, which then answer alike for unknown users. Default: a visitor of the
   * pages, who may call what docs/pages.md#what-pages-may-call lists.
   */
  readonly isPublic?: boolean | undefined;
  /**
   * What the user proved, for calls that add a passkey: the header `latchkey-proof` of the answer to the login. Default: that of the login by
   * `call` in the same request.
   */
  readonly proof?: string | undefined;
}

/** What a page can do. */
export interface InteractionHost {
  /** The path of the service, such as `/identity`; empty at the root. Start each link of a page with it. */
  readonly basePath: string;
  /** The URL of the service as browsers reach it, without a slash at its end. */
  readonly publicUrl: string;
  /** Secrets of the service for pages, the newest first: seal with one what a browser keeps and may not change. */
  readonly secrets: readonly string[];
  /** Reads the clock of the service, in epoch milliseconds. */
  readonly clock: () => number;
  /** Returns random bytes of the service: draw secrets of a browser with it. */
  readonly random: Random;
  /** The API for reading what a page shows: applications, forms, identity providers, tenants, themes, and users by id. */
  readonly api: InProcessApi;
  /**
   * Calls the API as a visitor: with the address, the user agent and the device cookie of the browser. Pass `tenantId` for calls
   * about one tenant. Log in with `noJWT: true`: the tokens come from the provider.
   */
  call(request: ApiRequest, call: ApiCall, tenantId?: string): Promise<ApiResponse>;
  /** Reads the form that a browser sent, within the limits of the service; empty without one. Throws IdentityError 400, 408, 413, 415. */
  readForm(request: ApiRequest): Promise<URLSearchParams>;
  /** The interaction of a request below `/oauth2/interaction/{uid}`; undefined for one that ended, or that another browser began. */
  find(request: ApiRequest): Promise<Interaction | undefined>;
  /**
   * Why the interaction of a request below `/oauth2/interaction/{uid}` is over for it: it ended in the last hour, or expired in the last day.
   * Undefined for an unknown one, and for one that another browser ended. `login`, `select`, `consent` and `abort` return its `answer` by themselves.
   */
  findEnded(request: ApiRequest): Promise<EndedInteraction | undefined>;
  /** The answer that {@link saveAnswer} stored under a name; undefined after a minute. */
  findAnswer(request: ApiRequest, stored: AnswerName): Promise<ApiResponse | undefined>;
  /** Stores the answer to a form for a minute, for a browser that sends the form twice. A name must hold a secret of the browser. */
  saveAnswer(request: ApiRequest, stored: AnswerName, answer: ApiResponse): Promise<void>;
  /**
   * Ends a login, or the choice of an account by a login: returns the redirect (303) to the provider. Throws IdentityError 404 without an
   * interaction that waits for it.
   */
  login(request: ApiRequest, result: LoginResult): Promise<ApiResponse>;
  /** Goes on with an account that has a session in the browser. Returns the redirect (303). Throws IdentityError 404 for another account. */
  select(request: ApiRequest, userId: string): Promise<ApiResponse>;
  /** Ends a consent: grants the missing scopes, or those of the list among them. Returns the redirect (303). Throws IdentityError 404. */
  consent(request: ApiRequest, scopes?: readonly string[]): Promise<ApiResponse>;
  /** Ends an interaction without success: returns the redirect (303) that brings the client the error. Throws IdentityError 404. */
  abort(request: ApiRequest, reason?: AbortedInteraction): Promise<ApiResponse>;
}

/** A form of the provider: send its fields, and the named ones, to its action by POST. */
export interface ProviderForm {
  /** The path that the form is sent to. */
  readonly action: string;
  /** Hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A page that belongs to no interaction. */
export type ProviderPage = {
  readonly tenantId?: string | undefined;
  readonly applicationId?: string | undefined;
  /** The preferred languages of the request, apart by blanks. */
  readonly uiLocales?: string | undefined;
} & (
  | {
      /** Asks for the code of a device, in the field `user_code`. */
      readonly kind: "deviceCode";
      readonly form: ProviderForm;
      /** The code that the address names, for the field. */
      readonly userCode?: string | undefined;
      /** What is wrong with the code that was sent. */
      readonly error?: "unknown" | "expired" | "used" | "aborted" | "missing" | undefined;
    }
  | {
      /** Asks whether the code is that of the user's device. The field `abort` with `yes` says no. */
      readonly kind: "deviceConfirm";
      readonly form: ProviderForm;
      readonly userCode: string;
    }
  | { readonly kind: "deviceDone" }
  | {
      /** Says that the browser refuses cookies, without which a device cannot be connected. */
      readonly kind: "cookiesMissing";
    }
  | {
      /** Asks whether to log out. The field `logout` with `yes` ends the session at all applications; without it nothing ends. */
      readonly kind: "logout";
      readonly form: ProviderForm;
    }
  | {
      /** Asks which login ends, where the browser has sessions with several tenants and the request names none. */
      readonly kind: "chooseLogout";
      /** The logouts, for links. */
      readonly choices: readonly { readonly name: string; readonly url: string }[];
    }
  | {
      /** Says that the user stays logged in. */
      readonly kind: "stillLoggedIn";
      /** The first page of the application's site, for a link; undefined for an application that is no site, and without one. */
      readonly startUrl?: string | undefined;
    }
  | {
      readonly kind: "loggedOut";
      /** The URLs of front-channel logout: load each in a frame of the page. */
      readonly frames: readonly string[];
      /** Where the browser goes on; undefined for nowhere. */
      readonly next?: string | undefined;
    }
  | {
      /** A request that cannot go back to its client. */
      readonly kind: "error";
      readonly status: number;
      readonly error: string;
      readonly description?: string | undefined;
    }
);

/** The pages of sign-in: the built-in ones, or a host's own in the option `interactions`. */
export interface Interactions {
  /** Paths beside `/oauth2` that the pages answer at and below, such as `/password/forgot`. Default: none. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Answers a request that is none of the provider's: below `/oauth2/interaction/{uid}`, which the provider sends browsers to, or another path
   * of the pages below `/oauth2` or `paths`. Undefined for an unknown path.
   */
  handle(request: ApiRequest, host: InteractionHost): Promise<ApiResponse | undefined>;
  /** Returns a page that the provider needs. Its status is that of the page, 200 except for errors. */
  show(page: ProviderPage, request: ApiRequest, host: InteractionHost): Promise<ApiResponse>;
}
