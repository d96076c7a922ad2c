import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A member, as completion in the console shows it: its type, what it is for, and the name of the type that its own members are of. */
interface MemberRow {
  readonly type: string;
  readonly doc?: string;
  readonly members?: string;
}

type Members = Record<string, MemberRow>;

/** What a body of each kind of lambda sees: written from `adapters/lambdas`. */
export interface LambdaMembers {
  readonly parameters: Readonly<Record<string, readonly (MemberRow & { readonly name: string })[]>>;
  readonly globals: Members;
  readonly types: Readonly<Record<string, Members>>;
}

const places = ["../adapters/lambdas/index.ts", "../adapters/lambdas/globals/index.d.ts"];

/** Reads the types with the compiler. */
export function readLambdaMembers(): LambdaMembers {
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const program = ts.createProgram(files, {
    lib: ["lib.es2024.d.ts"],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const [typesFile = "", globalsFile = ""] = files;
  const reader = new MemberReader(program.getTypeChecker());
  const functions = program.getSourceFile(typesFile)?.statements.find(isNamed("LambdaFunctions"));
  const parameters = functions === undefined ? {} : reader.parametersOf(functions);
  const globals = reader.globalsOf(program.getSourceFile(globalsFile));
  return { parameters, globals, types: reader.types };
}

const isNamed =
  (name: string) =>
  (statement: ts.Statement): statement is ts.InterfaceDeclaration =>
    ts.isInterfaceDeclaration(statement) && statement.name.text === name;

class MemberReader {
  readonly types: Record<string, Members> = {};
  readonly #checker: ts.TypeChecker;
  readonly #names = new Map<ts.Type, string>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  parametersOf(functions: ts.InterfaceDeclaration): LambdaMembers["parameters"] {
    const kinds = this.#checker.getTypeAtLocation(functions).getProperties();
    return Object.fromEntries(
      kinds.map((kind) => {
        const [signature] = this.#checker.getTypeOfSymbol(kind).getCallSignatures();
        const rows = (signature?.parameters ?? []).map((symbol) => ({ name: symbol.name, ...this.#rowOf(symbol) }));
        return [kind.name, rows];
      }),
    );
  }

  globalsOf(file: ts.SourceFile | undefined): Members {
    if (file === undefined) return {};
    const symbols = this.#checker.getSymbolsInScope(file, ts.SymbolFlags.Value);
    const own = symbols.filter(({ declarations = [] }) => declarations.some((one) => one.getSourceFile() === file));
    return Object.fromEntries(own.map((symbol) => [symbol.name, this.#rowOf(symbol)]));
  }

  #rowOf(symbol: ts.Symbol): MemberRow {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(symbol));
    const doc = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
    const members = this.#membersOf(type);
    const text = this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    return {
      type: text.length > 60 ? `${text.slice(0, 59)}…` : text,
      ...(doc !== "" && { doc }),
      ...(members !== undefined && { members }),
    };
  }

  /** The name that the members of a type stand under in the table; undefined for a type without members of ours. */
  #membersOf(type: ts.Type): string | undefined {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const properties = type.getProperties().filter(({ declarations = [] }) => declarations.some(isOwn));
    const item = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (properties.length === 0 && item === undefined) return undefined;
    const name = this.#freeName(type);
    this.#names.set(type, name);
    const rows: Members = {};
    this.types[name] = rows;
    for (const property of properties) rows[property.name] = this.#rowOf(property);
    const members = item === undefined || item === type ? undefined : this.#membersOf(this.#checker.getNonNullableType(item));
    if (members !== undefined) rows["[]"] = { type: "", members };
    if (Object.keys(rows).length > 0) return name;
    delete this.types[name];
    this.#names.delete(type);
    return undefined;
  }

  #freeName(type: ts.Type): string {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const base = symbol === undefined || symbol.name.startsWith("__") ? "object" : symbol.name;
    let name = base;
    for (let number = 2; name in this.types; number++) name = `${base}${number}`;
    return name;
  }
}

function isOwn(declaration: ts.Declaration): boolean {
  return !declaration.getSourceFile().fileName.includes("node_modules");
}
