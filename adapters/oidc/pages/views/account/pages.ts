import type { Page } from "../../server/page.js";
import { changedPage, changePage } from "./change-password.js";
import { forgotPage, sentPage } from "./forgot.js";
import { registeredPage, registerPage } from "./register.js";
import { verifiedPage, verifyPage } from "./verify.js";

type AccountPageName =
  | "change"
  | "changed"
  | "forgot"
  | "register"
  | "registered"
  | "sent"
  | "verified"
  | `verify-${"email" | "phone" | "registration"}`;

/** The pages of account flows, by name. */
export const accountPages: Readonly<Record<AccountPageName, Page>> = {
  change: changePage,
  changed: changedPage,
  forgot: forgotPage,
  register: registerPage,
  registered: registeredPage,
  sent: sentPage,
  verified: verifiedPage,
  "verify-email": verifyPage("email"),
  "verify-phone": verifyPage("phone"),
  "verify-registration": verifyPage("registration"),
};
