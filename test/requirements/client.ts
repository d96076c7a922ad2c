import type { Requirement } from "./requirement.js";

const section = "docs/client.md";

/** Rules of the typed client. */
export const clientRequirements: Readonly<Record<string, Requirement>> = {
  "client.calls": { behaviour: "Every call of the client reaches its operation, as the same request by hand does", section },
  "client.same": { behaviour: "The client answers alike over HTTP and in process", section },
  "client.result": { behaviour: "A result is a value with status and ETag, or a refusal with status, code and errors", section },
  "client.no-answer": {
    behaviour: "A lost connection, a deadline, an abort and a bad answer are failures of their own kinds",
    section,
  },
  "client.input": { behaviour: "What no request can carry is refused without one, with the service's code", section },
  "client.credentials": { behaviour: "Credentials stand in no error and no text of the client, and follow no redirect", section },
  "client.retry": {
    behaviour: "What is transient is tried again with growing waits, Retry-After and the deadline kept",
    section,
  },
  "client.retry-safe": { behaviour: "What may have been done is sent again only where that does no harm", section },
  "client.new-key": {
    behaviour: "401 is tried again while a key may be too new to be known, and not later",
    section: "docs/reference/api-keys.md#new-changed-and-revoked-keys",
  },
  "client.search-all": {
    behaviour: "A loop over a search gets each record once, page by page, and throws what a page fails with",
    section,
  },
  "client.bundle": { behaviour: "The client runs without Node, and a bundle has only the families that are imported", section },
  "client.options": { behaviour: "Wrong options are refused at once", section },
};
