/**
 * Ids of rules, separated by blanks, by the page of docs/ that states them, with its anchor. What a rule says is the name of the tests that
 * cite it.
 */
export type RulesBySection = Readonly<Record<string, string>>;
