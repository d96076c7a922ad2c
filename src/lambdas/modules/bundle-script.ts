/** A module that scripts require. */
export interface LoadedModule {
  /** The name in the first body that requires it, for messages. */
  readonly name: string;
  readonly body: string;
  readonly imports: ModuleImports;
}

/** The modules that one body may require, by name: the index of each in the list of all modules. */
export type ModuleImports = Readonly<Record<string, number>>;

/** A body, and the modules that it requires directly or indirectly. */
export interface BodyWithModules {
  readonly body: string;
  readonly imports: ModuleImports;
  readonly modules: readonly LoadedModule[];
}

/** A script that contains its modules. */
export interface ScriptBundle {
  readonly body: string;
  /** The origin of a line of the script; lines count from 1. */
  readonly locate: (line: number) => ScriptPlace;
}

/** A place in a body or in one of its modules. */
export interface ScriptPlace {
  /** The name of the module; undefined for the body itself. */
  readonly module: string | undefined;
  /** From 1. */
  readonly line: number;
}

type Factory = (module: { exports: unknown }, exports: unknown, require: (name: unknown) => unknown) => void;

/**
 * Returns a body with its modules after it, so that the line numbers of the body stay. The body gets the function `require`, each
 * module `require`, `module` and `exports`, as in CommonJS: a module runs once for each run of the lambda. A body without imports
 * stays unchanged. Parse every text alone first, so that none can break out of its function.
 */
export function bundleScript({ body, imports, modules }: BodyWithModules): ScriptBundle {
  if (modules.length === 0) return { body, locate: (line) => ({ module: undefined, line }) };
  const importsOf = JSON.stringify([imports, ...modules.map((module) => module.imports)]);
  let script = `${body}\n;function require(name) { return (require.run ??= (${String(linkModules)})(${importsOf}, [`;
  const starts: { readonly name: string; readonly before: number }[] = [];
  for (const { name, body: text } of modules) {
    script += "(module, exports, require) => {\n";
    starts.push({ name, before: countLines(script) - 1 });
    script += `${text}\n},`;
  }
  return { body: `${script}]))(name); }`, locate: locator(countLines(body), starts) };
}

function locator(
  ownLines: number,
  starts: readonly { readonly name: string; readonly before: number }[],
): ScriptBundle["locate"] {
  return (line) => {
    const part = line <= ownLines ? undefined : starts.findLast(({ before }) => line > before);
    return part === undefined ? { module: undefined, line } : { module: part.name, line: line - part.before };
  };
}

// Counts like JavaScript engines.
function countLines(text: string): number {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).length;
}

/**
 * The function `require` of a body. Its source is part of the scripts, so it refers to nothing outside. `importsOf` has the
 * imports of the body first, so modules count from 1 there.
 */
function linkModules(importsOf: readonly ModuleImports[], factories: readonly Factory[]): (name: unknown) => unknown {
  const loaded = new Map<number, { exports: unknown }>();
  const requireFor = (place: number) => (name: unknown) => {
    const imports = importsOf[place] ?? {};
    const target = Object.hasOwn(imports, String(name)) ? imports[String(name)] : undefined;
    if (target === undefined) throw new Error(`There is no module ${String(name)}.`);
    const known = loaded.get(target);
    if (known !== undefined) return known.exports;
    const module = { exports: {} as unknown };
    loaded.set(target, module);
    factories[target]?.(module, module.exports, requireFor(target + 1));
    return module.exports;
  };
  return requireFor(0);
}
