/** For adapters that load an optional package, or start a program of their own by its path. */
export { findPackage, findPackageFile, loadPackage, type PackageFile } from "../../src/shared/packages.js";
