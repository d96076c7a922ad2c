import type { Requirement } from "./requirement.js";

const section = "docs/reference/user-import.md#jobs";

/** The rules of import jobs. */
export const importJobRequirements: Readonly<Record<string, Requirement>> = {
  "import-jobs.create": {
    behaviour: "A job imports the users of an upload; each line has one result, and a bad one stops no other",
    section,
  },
  "import-jobs.references": {
    behaviour: "A row whose tenant, application, role, group or hash is not valid fails with errors on user.<path>",
    section,
  },
  "import-jobs.duplicates": {
    behaviour: "onDuplicate=error fails a row whose user exists, skip passes over it, update changes that user and nobody else",
    section,
  },
  "import-jobs.dry-run": { behaviour: "A dry run has the results and counts of the import, and stores no user", section },
  "import-jobs.events": {
    behaviour: "events=bulk publishes at most 100 users in a user.bulk.create, events=single what single calls publish",
    section,
  },
  "import-jobs.csv": {
    behaviour: "A CSV names members in its header or in columns; one that cannot be read is 400 and leaves nothing",
    section,
  },
  "import-jobs.cancel": {
    behaviour: "A canceled or failed job continues where it was; each row is imported once; other states are 409 [wrongState]",
    section,
  },
  "import-jobs.revoked-key": {
    behaviour: "A job continues after the API key that started it is removed; cancel the job to stop it",
    section,
  },
  "import-jobs.tenants": {
    behaviour: "A job belongs to the tenant of its call: other tenants get 404, and it goes with its tenant",
    section,
  },
  "import-jobs.expiry": { behaviour: "Jobs, uploads and results are removed after importJobs.keepMilliseconds", section },
  "import-jobs.sealed": {
    behaviour: "Parts of uploads are sealed, and removed with the transaction that stores their rows",
    section,
  },
  "import-jobs.in-process": {
    behaviour: "identity.users.import takes an iterable, reports its progress and answers results",
    section,
  },
  "import-jobs.limits": {
    behaviour: "Bytes, rows, line lengths and open jobs are limited; a line that is too long fails alone",
    section,
  },
  "import-jobs.hostile": {
    behaviour: "Bad lines, bytes that are no text, and uploads that break off are refused one by one and leave nothing",
    section,
  },
  "import-jobs.progress": {
    behaviour: "Server-sent events report the progress of a job until it is over; the number of followers is limited",
    section,
  },
  "import-jobs.takeover": {
    behaviour: "Another process continues a job once the lease of the first is over; a row is never imported twice",
    section,
  },
  "import-jobs.others-first": {
    behaviour: "A job commits after at most fifty rows more where other writes wait, and continues from there",
    section,
  },
  "import-jobs.audit": {
    behaviour:
      "The audit log has entries for the start, cancellation and continuation of a job, and for each user, by who started it",
    section,
  },
};
