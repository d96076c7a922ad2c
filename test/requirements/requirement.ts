/** One rule that the service must keep: what it does, and where the rule comes from. */
export interface Requirement {
  readonly behaviour: string;
  /** Section of the reference, of decisions.md (a table and its row) or of facts.md. */
  readonly section: string;
}
