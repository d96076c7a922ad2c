import type { Page } from "../server/page.js";
import type { PageName } from "../server/paths.js";
import { changedPage, changePage } from "./change-password.js";
import { forgotPage, sentPage } from "./forgot.js";
import { linkPage } from "./link.js";
import { loginPage } from "./login.js";
import { passwordlessCodePage, passwordlessPage } from "./passwordless.js";
import { registeredPage, registerPage } from "./register.js";
import { twoFactorChoicePage } from "./second-factor.js";
import { twoFactorPage } from "./two-factor.js";
import { verifiedPage, verifyPage } from "./verify.js";

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
  link: linkPage,
  passwordless: passwordlessPage,
  "passwordless-code": passwordlessCodePage,
};
