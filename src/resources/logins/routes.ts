import { defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import type { IdInput } from "../../operations/wire-types.js";
import type {
  ChangePasswordRequest,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordChangeResponse,
  SecondFactorResponse,
} from "./schema.js";

/** Whom a login is counted for, and where. */
export type LoginPingInput = IdInput<"userId"> & { readonly applicationId?: string; readonly ipAddress?: string };

/** What can be done about logins (docs/reference/tokens.md#login). */
export interface LoginOperations {
  /** Checks a password and returns tokens, or what is needed first: a second factor or a new password. */
  readonly login: OperationSignature<LoginRequest, LoginResponse | PasswordChangeResponse | SecondFactorResponse>;
  /** Records a login that happened elsewhere; returns the user without tokens. */
  readonly ping: OperationSignature<LoginPingInput, LoginResponse>;
  /** Ends one session or all sessions of a user; succeeds with or without a token. */
  readonly logout: OperationSignature<LogoutRequest, undefined>;
  /** Sets a new password and revokes the refresh tokens of the user. The id is valid once and for ten minutes. */
  readonly changePassword: OperationSignature<ChangePasswordRequest & IdInput<"changePasswordId">, Record<never, never>>;
}

export const loginOperations: OperationsOf<LoginOperations> = {
  login: defineOperation(
    "logins.login",
    [],
    lazyOperation(() => import("./rules.js"), "logIn"),
  ),
  ping: defineOperation(
    "logins.ping",
    ["userId", "applicationId", "ipAddress"],
    lazyOperation(() => import("./rules.js"), "ping"),
  ),
  logout: defineOperation(
    "logins.logout",
    [],
    lazyOperation(() => import("./rules.js"), "logOut"),
  ),
  changePassword: defineOperation(
    "logins.changePassword",
    ["changePasswordId"],
    lazyOperation(() => import("./rules.js"), "changePassword"),
  ),
};

const { login, ping, logout, changePassword } = loginOperations;

export const loginRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/login", "optional", login],
  ["PUT", "/api/login", "tenant", ping],
  ["PUT", "/api/login/:userId", "tenant", ping],
  ["PUT", "/api/login/:userId/:applicationId", "tenant", ping],
  ["POST", "/api/login/:userId", "tenant", ping],
  ["POST", "/api/login/:userId/:applicationId", "tenant", ping],
  ["POST", "/api/logout", "public", logout],
  ["POST", "/api/user/change-password/:changePasswordId", "public", changePassword],
]);
