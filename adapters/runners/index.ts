/** Lambda runners for the option `lambdas`; docs/lambdas.md compares them. Each loads its engine at the first run. */
export { type IsolatedVmRunnerOptions, isolatedVmRunner } from "./isolated-vm/isolated-vm-runner.js";
export { type NodeVmRunnerOptions, nodeVmRunner } from "./node-vm/node-vm-runner.js";
export { type QuickJsRunnerOptions, quickJsRunner } from "./quickjs/quickjs-runner.js";
