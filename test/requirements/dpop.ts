import type { Requirement } from "./requirement.js";

const dpop = "docs/reference/authentication.md#dpop";

/** Rules of tokens that are bound to a key of the client (RFC 9449). */
export const dpopRequirements: Readonly<Record<string, Requirement>> = {
  "dpop.accepted": {
    behaviour: "A bound token with a good proof is a credential",
    section: "docs/reference/authentication.md#schemes",
  },
  "dpop.proof": {
    behaviour: "A proof that is wrong in any way is an empty 401",
    section: "docs/reference/authentication.md#dpop",
  },
  "dpop.algorithms": {
    behaviour: "Proofs are signed by the asymmetric algorithms of JOSE, with keys that fit",
    section: "RFC 9449, 4.3",
  },
  "dpop.examples": { behaviour: "The proofs printed in RFC 9449 are good at their instants", section: "RFC 9449, 4 to 7" },
  "dpop.window": { behaviour: "A proof counts for 60 s around its instant", section: dpop },
  "dpop.once": { behaviour: "A proof counts once, whichever process it comes to", section: "docs/reference/threats.md, 34" },
  "dpop.kept": {
    behaviour: "Only good proofs are kept, and no longer than they could be used again",
    section: "docs/reference/threats.md, 34",
  },
  "dpop.schemes": { behaviour: "A bound token counts with the scheme DPoP alone, an unbound one never with it", section: dpop },
  "dpop.url": {
    behaviour: "A proof names the URL that the client called, on every transport, mount point included",
    section: "RFC 9449, 4.3",
  },
  "dpop.proxies": {
    behaviour: "Scheme and host are a trusted proxy's word, or publicUrl's, and nobody else's",
    section: "docs/reference/threats.md, 34",
  },
  "dpop.binding": {
    behaviour: "A proof binds the token that is asked for; a wrong one is 400 [invalidDPoPProof]",
    section: dpop,
  },
  "dpop.version": {
    behaviour: "Before 1.63.0 a proof is not known, and the scheme is 401",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "dpop.plan": {
    behaviour: "Without the plan a proof is 400 [notLicensed]DPoP, and the scheme is 401",
    section: "docs/reference/service.md#versions-and-plans",
  },
};
