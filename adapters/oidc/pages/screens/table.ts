import type { Page } from "../server/page.js";
import type { PageName } from "../server/paths.js";
import { changedPage, changePage } from "./account/change-password.js";
import { forgotPage, sentPage } from "./account/forgot.js";
import { registeredPage, registerPage } from "./account/register.js";
import { verifiedPage, verifyPage } from "./account/verify.js";
import { linkPage } from "./login/link.js";
import { loginPage } from "./login/login.js";
import { passkeyPage } from "./login/passkey.js";
import { passwordlessCodePage, passwordlessPage } from "./login/passwordless.js";
import { twoFactorChoicePage } from "./login/second-factor.js";
import { twoFactorPage } from "./login/two-factor.js";
import { callbackPage } from "./providers/callback.js";

/** Every page, by its name. */
export const pages: Readonly<Record<PageName, Page>> = {
  login: loginPage,
  "two-factor": twoFactorPage,
  "two-factor-choice": twoFactorChoicePage,
  forgot: forgotPage,
  sent: sentPage,
  change: changePage,
  changed: changedPage,
  register: registerPage,
  registered: registeredPage,
  "verify-email": verifyPage("email"),
  "verify-phone": verifyPage("phone"),
  "verify-registration": verifyPage("registration"),
  verified: verifiedPage,
  callback: callbackPage,
  link: linkPage,
  passkey: passkeyPage,
  passwordless: passwordlessPage,
  "passwordless-code": passwordlessCodePage,
};
