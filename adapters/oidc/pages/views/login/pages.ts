import type { Page } from "../../server/page.js";
import { newPasskeyPage } from "../passkeys/new-passkey.js";
import { passkeyPage } from "../passkeys/passkey.js";
import { twoFactorMethodsPage } from "../second-factor.js";
import { linkPage } from "./link.js";
import { loginPage } from "./login.js";
import { passwordlessCodePage, passwordlessPage } from "./passwordless.js";
import { twoFactorPage } from "./two-factor.js";
import { twoFactorPasskeyPage } from "./two-factor-passkey.js";

type LoginPageName =
  | "link"
  | "login"
  | "passkey"
  | "new-passkey"
  | "passwordless"
  | "passwordless-code"
  | `two-factor${"" | "-methods" | "-passkey"}`;

/** The pages of a login, by name. */
export const loginPages: Readonly<Record<LoginPageName, Page>> = {
  link: linkPage,
  login: loginPage,
  passkey: passkeyPage,
  "new-passkey": newPasskeyPage,
  passwordless: passwordlessPage,
  "passwordless-code": passwordlessCodePage,
  "two-factor": twoFactorPage,
  "two-factor-methods": twoFactorMethodsPage,
  "two-factor-passkey": twoFactorPasskeyPage,
};
