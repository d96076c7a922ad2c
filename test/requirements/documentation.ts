import type { Requirement } from "./requirement.js";

const guides = "docs/README.md";
const releases = "docs/releases.md";

/** The rules about what users read, and about what they install. */
export const documentationRequirements: Readonly<Record<string, Requirement>> = {
  "docs.snippets": { behaviour: "Code that a page shows stands word for word in an example that runs", section: guides },
  "docs.examples": { behaviour: "Every example is run by a test", section: guides },
  "docs.transcripts": { behaviour: "Commands that a page shows answer what stands below them", section: guides },
  "docs.claims": { behaviour: "Each claim and figure of the README has a test", section: "README.md" },
  "docs.links": { behaviour: "No link of a page leads nowhere", section: guides },
  "docs.site": { behaviour: "Every guide is in the sidebar of the site, whose links lead to pages that exist", section: guides },
  "docs.citations": { behaviour: "Each page that code or a test cites exists, with its anchor", section: guides },
  "docs.language": {
    behaviour: "Names are made of words of the glossary, and pages have short, active sentences",
    section: guides,
  },
  "docs.index": { behaviour: "Every guide is in the index", section: guides },
  "release.changelog": { behaviour: "The changelog has the form of Keep a Changelog, newest first", section: releases },
  "release.candidate": { behaviour: "What is not committed, dated, described and untagged is not released", section: releases },
  "release.dry-run": { behaviour: "A dry run makes tarball, notes and provenance, and publishes nothing", section: releases },
  "release.announced": { behaviour: "A change of the public API needs a new entry of the changelog", section: releases },
};
