/** One rule that the service must keep: what it does, and where the rule comes from. */
export interface Requirement {
  readonly behaviour: string;
  /** The page of docs/ that states the rule, with its anchor. */
  readonly section: string;
}
