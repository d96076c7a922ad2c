/** A command of a transcript, and what the page prints below it. */
export interface Exchange {
  readonly command: string;
  readonly answer: string;
}

/** The commands of the transcripts among the code blocks of a page. */
export function exchangesOf(blocks: readonly { readonly language: string; readonly text: string }[]): readonly Exchange[] {
  const transcripts = blocks.filter(({ language }) => language === "console");
  return transcripts.flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .filter((part) => part !== "")
      .map((part) => `${part}\n`)
      .map((part) => ({ command: part.slice(0, part.indexOf("\n")), answer: part.slice(part.indexOf("\n") + 1).trim() })),
  );
}

/** Matches an answer: instants and fresh ids (UUIDs of version 7) differ from run to run; `…` stands for anything. */
export function toPattern(answer: string): RegExp {
  const pattern = answer
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace(/Instant":\d+/g, 'Instant":\\d+')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "[0-9a-f-]{36}")
    .replaceAll("…", "[^]*");
  return new RegExp(`^${pattern}$`);
}
