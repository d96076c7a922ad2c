import { registerHooks } from "node:module";
import { ldapConnector } from "latchkey/ldap";
import { memoryStorage } from "latchkey/memory";
import { simpleWebAuthn } from "latchkey/passkeys";
import { saml, samlLogins } from "latchkey/saml";
import { expect, onTestFinished, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";

/** Lets no module of this process find a package, for one test. */
function hidePackage(name: string): void {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === name) throw new Error(`Cannot find package ${name}.`);
      return next(specifier, context);
    },
  });
  onTestFinished(() => hooks.deregister());
}

const adviceOf = (user: string, name: string): string => `${user} needs the package ${name}: npm install ${name}`;

requirement("passkey.peer", "a service with passkeys does not start without their library", () => {
  hidePackage("@simplewebauthn/server");
  expect(() => simpleWebAuthn()).toThrow(new TypeError(adviceOf("latchkey/passkeys", "@simplewebauthn/server")));
});

test("neither does one with LDAP", () => {
  hidePackage("ldapts");
  expect(() => ldapConnector()).toThrow(new TypeError(adviceOf("ldapConnector()", "ldapts")));
});

test("neither does one with SAML, which needs two packages to log in and one to answer", async () => {
  hidePackage("xml-crypto");
  expect(() => samlLogins()).toThrow(new TypeError(adviceOf("samlLogins()", "xml-crypto")));
  await expect(startWorld(memoryStorage(), { protocols: [saml()], publicUrl: "https://id.example.com" })).rejects.toThrow(
    new TypeError(adviceOf("saml()", "xml-crypto")),
  );
  hidePackage("@node-saml/node-saml");
  expect(() => samlLogins()).toThrow(new TypeError(adviceOf("samlLogins()", "@node-saml/node-saml")));
});
