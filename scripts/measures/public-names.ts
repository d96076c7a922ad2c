/** The names that the package exports, and which of them, and of their members, have no docstring. */
import { globSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** What one entry point exports. */
export interface EntryPoint {
  /** The file, from the root. */
  readonly path: string;
  readonly names: readonly string[];
  /** Exported names without a docstring, and members without one as `Name.member`. */
  readonly undocumented: readonly string[];
}

/** The files that are subpaths of the package: the root, the adapters, and the contract tests. */
const patterns = ["src/index.ts", "adapters/*/index.ts", "test/contract/index.ts"];
/** What only the build uses. */
const inner = /^adapters\/(cli|kysely|internal)\//;

/** Reads the entry points of a repository. */
export function readEntryPoints(root: string): readonly EntryPoint[] {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((path) => !inner.test(path));
  const options = { noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.Latest, module: ts.ModuleKind.NodeNext };
  const program = ts.createProgram(
    paths.map((path) => join(root, path)),
    {
      ...options,
      types: [],
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      paths: {
        latchkey: [join(root, "src/index.ts")],
        "latchkey/contract": [join(root, "test/contract/index.ts")],
        "latchkey/*": [join(root, "adapters/*/index.ts")],
      },
    },
  );
  const checker = program.getTypeChecker();
  return paths.map((path) => {
    const file = program.getSourceFile(join(root, path));
    const module = file && checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const undocumented = symbols.flatMap((symbol) => undocumentedOf(resolve(checker, symbol), symbol.name, checker));
    return { path: relative(root, join(root, path)), names: symbols.map(({ name }) => name), undocumented };
  });
}

function resolve(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function undocumentedOf(symbol: ts.Symbol, name: string, checker: ts.TypeChecker): readonly string[] {
  const isDocumented = (one: ts.Symbol): boolean => one.getDocumentationComment(checker).length > 0;
  const members = (symbol.declarations ?? []).flatMap(membersOf).filter((member) => {
    const own = checker.getSymbolAtLocation(member);
    return own !== undefined && !isDocumented(own);
  });
  return [...(isDocumented(symbol) ? [] : [name]), ...members.map((member) => `${name}.${member.getText()}`)];
}

/** The names of the members that a declaration lists itself. */
function membersOf(declaration: ts.Declaration): readonly ts.PropertyName[] {
  const own =
    ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
      ? declaration.members
      : ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)
        ? declaration.type.members
        : [];
  return [...own].filter(isPublic).flatMap(({ name }) => (name === undefined || ts.isPrivateIdentifier(name) ? [] : [name]));
}

function isPublic(member: ts.Declaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (ts.getCombinedModifierFlags(member) & hidden) === 0;
}
