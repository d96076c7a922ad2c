import { expect } from "vitest";
import { runSingleSignOn } from "../../examples/sso.js";
import { requirement } from "../support/requirement.js";

requirement(
  "openid.single-sign-on",
  "people of two companies log in by OpenID Connect and by SAML, once their directory provisioned them",
  async () => {
    const steps: string[] = [];
    await runSingleSignOn((step) => steps.push(step));
    const each = [
      "nobody logs in whom the directory did not provision",
      "the first login links the provisioned user",
      "a deprovisioned user is logged out at once, and stays out",
    ];
    expect(steps).toEqual(["Acme", "Globex"].flatMap((company) => each.map((step) => `${company}: ${step}`)));
  },
);
