/** The lines of a log but those that walks expect: flows without a template are tried, and webhooks of this machine. */
export function unexpectedOf<Line extends { readonly fields: object }>(log: readonly Line[]): readonly Line[] {
  return log.filter(({ fields }) => !("setting" in fields || "webhookId" in fields));
}
