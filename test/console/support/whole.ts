/** Whether all is looked at, for `.ci/release-check`: by default a part (docs/internals/tests.md). */
export const isWhole: boolean = process.env.LATCHKEY_CONSOLE_ALL === "1";
