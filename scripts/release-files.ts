/** What a release consists of: the tarball, a statement of its provenance, and its notes. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "./changelog.ts";

/** The name of the file with the notes. */
export const notesFile = "notes.md";

/** What the tarball of a release is made of. */
export interface Source {
  readonly name: string;
  readonly version: string;
  /** The URL of the repository. */
  readonly repository: string;
  /** The SHA-1 of the commit. */
  readonly commit: string;
}

/** A statement of provenance in the form of SLSA 1.0 (https://slsa.dev/spec/v1.0/provenance), not signed. */
export function toProvenance({ commit, name, repository, version }: Source, tarball: Uint8Array): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: `pkg:npm/${name}@${version}`, digest: { sha512: createHash("sha512").update(tarball).digest("hex") } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${repository}#scripts/release.ts`,
        externalParameters: { commands: ["npm ci", "npm run build", "npm pack"] },
        internalParameters: { node: process.version },
        resolvedDependencies: [{ uri: repository, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `${repository}#local` } },
    },
  };
}

/** The notes of a release in Markdown: its section of the changelog, breaking changes included. @throws Error when there is no such section. */
export function toNotes(changelog: string, { version }: Pick<Release, "version">): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${version} - `) || text.startsWith(`## ${version}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}.`);
  return `${section.slice(section.indexOf("\n") + 1).trim()}\n`;
}

/** Packs the release into an empty folder, and writes its notes and its provenance beside the tarball. @returns the path of the tarball. */
export function writeRelease(
  directory: string,
  source: Source,
  { notes, pack }: { readonly notes: string; readonly pack: (directory: string) => void },
): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  pack(directory);
  const tarball = join(directory, `${source.name}-${source.version}.tgz`);
  const statement = toProvenance(source, readFileSync(tarball));
  writeFileSync(join(directory, "provenance.json"), `${JSON.stringify(statement, undefined, 2)}\n`);
  writeFileSync(join(directory, notesFile), notes);
  return tarball;
}
