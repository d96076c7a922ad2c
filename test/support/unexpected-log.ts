/** Log lines without those that walks expect: flows without a template, and webhooks on this machine. */
export function unexpectedOf<Line extends { readonly fields: object }>(log: readonly Line[]): readonly Line[] {
  return log.filter(({ fields }) => !("setting" in fields || "webhookId" in fields));
}
