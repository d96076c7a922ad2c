import type { Requirement } from "./requirement.js";

const section = "docs/console.md";
const session = `${section}#session`;
const roles = `${section}#roles`;

/** The rules of the console's server. */
export const consoleRequirements: Readonly<Record<string, Requirement>> = {
  "console.mount": {
    behaviour: "Any depth, with or without a slash at the end, behind a proxy that takes a prefix away",
    section,
  },
  "console.files": { behaviour: "Built files alone, compressed, immutable; the page is checked again each time", section },
  "console.policy": { behaviour: "A policy without inline scripts and styles, and without other origins", section },
  "console.options": { behaviour: "Name, logo, design tokens, hidden areas, links and tabs of the host", section },
  "console.set-up": { behaviour: "A link creates the first administrator: once, for a day, stored as a digest", section },
  "console.cookie": { behaviour: "HttpOnly, SameSite=Strict, bound to the mount point, Secure over TLS", section: session },
  "console.session": { behaviour: "A session is a refresh token: idle limit, absolute limit, revocable", section: session },
  "console.sign-in": { behaviour: "Sign-ins are logins: throttled and locked as those", section: session },
  "console.two-factor": { behaviour: "A second factor of the user is needed", section: session },
  "console.confirmation": { behaviour: "Secrets and administrators need a recent sign-in", section: session },
  "console.cross-site": { behaviour: "No write of another site or without the header passes", section: session },
  "console.apart": { behaviour: "The cookie opens nothing at the API, and keys open nothing at the console", section: session },
  "console.theme-preview": { behaviour: "A theme is shown before it is stored, to those who may store it", section },
  "console.audit": { behaviour: "The audit log names the person", section: roles },
  "console.roles": { behaviour: "Each role may call what it is for, and reads no secrets below full", section: roles },
  "console.administrators": { behaviour: "Only full administrators change administrators", section: roles },
  "console.sizes": { behaviour: "First load at most 60 KB of scripts and 12 KB of styles; the folder at most 1 MB", section },
  "console.lazy": { behaviour: "The core loads nothing of the console", section },
  "console.scripts": { behaviour: "A script in every text field of every family runs on no screen", section },
  "console.conflict": { behaviour: "Of two browsers that edit one record, the second sees both changes and chooses", section },
  "console.ten-minutes": {
    behaviour: "A new administrator finds the way through the first ten minutes",
    section: `${section}#ten-minutes-as-a-new-administrator`,
  },
  "console.many-users": { behaviour: "The first list needs at most four requests, of any number of users", section },
  "console.start": { behaviour: "npm start shows it, and prints a link for the first administrator", section },
  "console.command": {
    behaviour: "latchkey console opens it on this machine by a link",
    section: `${section}#from-the-command-line`,
  },
  "console.host": { behaviour: "A host can sign its persons in itself", section },
};
