/** Runners of lambdas, for the option `lambdas`: which to take is in docs/lambdas.md. Each loads its engine with the first run. */
export { type IsolatedVmRunnerOptions, isolatedVmRunner } from "./isolated-vm/isolated-vm-runner.js";
export { type NodeVmRunnerOptions, nodeVmRunner } from "./node-vm/node-vm-runner.js";
export { type QuickJsRunnerOptions, quickJsRunner } from "./quickjs/quickjs-runner.js";
