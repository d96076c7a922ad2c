import type { Requirement } from "./requirement.js";

const flows = "docs/reference/account-flows.md";
const ids = `${flows}#ids-and-codes`;
const verification = `${flows}#verification`;
const passwords = `${flows}#passwords`;
const rules = `${flows}#rules-for-passwords`;
const settings = "docs/reference/account-settings.md";

/** The rules of account flows: verification, forgotten passwords, logins without one. */
export const accountRequirements: Readonly<Record<string, Requirement>> = {
  "account.settings": {
    behaviour:
      "Tenants and applications have the settings of account flows, each member with its default; records of earlier versions too",
    section: settings,
  },
  "account.templates-in-use": {
    behaviour: "A template that a tenant or an application names for a mail must exist and cannot be removed: 400 [inUse]",
    section: settings,
  },
  "account.id-once": {
    behaviour: "An id works once, also when two arrive at once; later it is 404 like an unknown one",
    section: ids,
  },
  "account.flow-walk": {
    behaviour: "The link of every mail works once, in time, in its tenant and flow, on each storage",
    section: ids,
  },
  "account.id-place": { behaviour: "An id works in its tenant, for its user, purpose and address alone", section: ids },
  "account.id-lifetime": { behaviour: "An id and its code have the tenant's generator and lifetime", section: ids },
  "account.id-secret": { behaviour: "The storage holds no id and no code in a form that works", section: ids },
  "account.code": {
    behaviour: "With FormField the id works with its code only; wrong codes are counted and lock the id",
    section: ids,
  },
  "account.alike": {
    behaviour: "A caller without a key gets the same answer for known and unknown users, after as many statements",
    section: `${flows}#calls-without-a-key`,
  },
  "account.mail-fails": {
    behaviour: "A template that fails, or no transport, ends no flow: the event log has the error",
    section: `${flows}#mails`,
  },
  "account.verify-new": {
    behaviour:
      "verifyEmail makes new users unverified and mails them; skipVerification, verified or proof of the address does not",
    section: verification,
  },
  "account.verify-changed": {
    behaviour: "verifyEmailWhenChanged does so for a changed address; the earlier address gets a mail",
    section: verification,
  },
  "account.verify-ids": {
    behaviour:
      "POST, PUT and PATCH of a user answer the ids of the verification that began; since 1.59.0 also in verificationIds",
    section: flows,
  },
  "account.continue-session": {
    behaviour: "refreshToken of a change by the user's own token: the login that follows has its application and metaData",
    section: flows,
  },
  "account.verify-email": {
    behaviour: "An id of a mail, or a key with a user id, verifies the address: events, mail and email_verified follow",
    section: verification,
  },
  "account.verify-registration": {
    behaviour:
      "An application can ask for the verification of registrations; it verifies the address too unless the tenant forbids",
    section: verification,
  },
  "account.gated-change": {
    behaviour: "With allowEmailChangeWhenGated a gated user replaces the address, by the id of the login that was refused",
    section: verification,
  },
  "account.gated": {
    behaviour: "Gated tenants answer 212 and gated applications 213 until the email or the registration is verified",
    section: "docs/reference/tokens.md#login",
  },
  "account.verify-identity": {
    behaviour: "A login id is verified by start, send and complete, also before there is a user, or by a key alone",
    section: verification,
  },

  "account.forgot": {
    behaviour: "forgot-password mails an id that changes the password once; a key gets the id, chooses it and skips the mail",
    section: passwords,
  },
  "account.forgot-refused": {
    behaviour: "With a key: 403 without a template, 404 for an unknown user, 422 without an address",
    section: passwords,
  },
  "account.change": {
    behaviour: "A password is changed by an id, by the user's token and current password, or by a key and a login id",
    section: passwords,
  },
  "account.change-ends": {
    behaviour: "A change revokes refresh tokens and the other ids, and mails the user",
    section: passwords,
  },
  "account.change-trust": {
    behaviour: "A user with a second factor needs a trust token, except after a login that showed the factor",
    section: passwords,
  },
  "account.one-time-password": {
    behaviour: "A change of the password returns a oneTimePassword, which logs the user in once within its lifetime",
    section: passwords,
  },
  "account.set-password": {
    behaviour: "sendSetPasswordEmail mails a new user an id to choose a password",
    section: passwords,
  },
  "account.rules": {
    behaviour: "A new password must pass the rules of its tenant; each broken rule is a field error, and uses no id up",
    section: rules,
  },
  "account.rules-public": {
    behaviour: "password-validation-rules returns the rules of a tenant without a credential",
    section: rules,
  },
  "account.rules-history": { behaviour: "The tenant can refuse earlier passwords and too early changes", section: rules },
  "account.rules-login": {
    behaviour: "A login is 203 Expired for an old password, Validation for one that breaks the rules where the tenant says so",
    section: rules,
  },
  "account.passwordless": {
    behaviour: "An application that allows it logs users in by the code of a mail, once, like any login",
    section: `${flows}#passwordless`,
  },
  "account.breach": {
    behaviour:
      "breachDetection refuses common passwords, and with a range service breached ones: five digits of the digest leave",
    section: rules,
  },
  "account.breach-pairs": {
    behaviour:
      "pairRangeUrl finds a password that was breached with a login id, or the address without its sub-address, by the mode",
    section: rules,
  },
  "account.password-strength": {
    behaviour:
      "passwordStrength refuses a new password that scores under its minimum: [tooWeak]; a failing function refuses none",
    section: rules,
  },
  "account.breach-fails-open": {
    behaviour: "A range service that does not answer refuses nobody; it is counted and logged",
    section: rules,
  },
  "account.breach-login": {
    behaviour:
      "onLogin records a breached password, mails the user, or asks for another (203 Breached); user.password.breach is published",
    section: rules,
  },
  "account.rate-limits": {
    behaviour: "rateLimitConfiguration limits calls that send or guess, for a login id, known or not: 429 with Retry-After",
    section: `${flows}#calls-without-a-key`,
  },
  "account.login-statements": {
    behaviour: "A login in a tenant that uses no setting of account flows runs a fixed number of statements",
    section: "docs/security.md#account-flows",
  },
};
