// The package has no types.
declare module "json-merge-patch" {
  const library: {
    /** Changes the target, shares the patch's arrays with it, and returns the result (RFC 7396). */
    readonly apply: (target: unknown, patch: unknown) => unknown;
  };
  export default library;
}
