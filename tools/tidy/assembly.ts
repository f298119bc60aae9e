// SPDX-License-Identifier: Apache-2.0
/** Rules about the kernel's AssemblyScript, which no linter of ours reads: TypeScript but for its decorators on functions. */
import { posix } from 'node:path';
import { parse } from './parse.ts';
import type { Finding, SourceFile, SourcePackage } from './source.ts';

export const ASSEMBLY = 'vector/kernel/assembly';
const LINE_WIDTH = 140;

/** The files as a package, without the decorators, so that the rules about files and folders can read them. Lines and columns stay. */
export function assemblyPackage(files: readonly SourceFile[]): SourcePackage {
  return {
    name: 'vector-kernel-assembly',
    folder: ASSEMBLY,
    dependencies: [],
    entries: [],
    files: files.map(({ path, text }) => ({ path, text: text.replaceAll(/^@inline\b/gm, '       ') })),
  };
}

export function checkAssembly({ folder, files }: SourcePackage): readonly Finding[] {
  const modules = files.map(readModule);
  return [...modules.flatMap(checkWidth), ...checkCycles(modules), ...checkDeadExports(folder, modules)];
}

type Module = {
  readonly file: SourceFile;
  readonly requests: readonly Request[];
  readonly exports: readonly { readonly name: string; readonly start: number }[];
};

/** What a module takes from another: the path of that one, and the name. */
type Request = { readonly path: string; readonly name: string; readonly start: number };

function readModule(file: SourceFile): Module {
  const { module, errors } = parse(file);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file.path}: ${error.message}`);
  const pathOf = (specifier: string) => `${posix.join(posix.dirname(file.path), specifier)}.ts`;
  const imported = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({ path: pathOf(moduleRequest.value), name: importName.name ?? '*', start: moduleRequest.start })),
  );
  const entries = module.staticExports.flatMap((each) => each.entries);
  const passedOn = entries.flatMap(({ moduleRequest, importName }) =>
    moduleRequest === null ? [] : [{ path: pathOf(moduleRequest.value), name: importName.name ?? '*', start: moduleRequest.start }],
  );
  const own = entries.flatMap(({ moduleRequest, exportName, start }) =>
    moduleRequest === null && exportName.name !== null ? [{ name: exportName.name, start }] : [],
  );
  return { file, requests: [...imported, ...passedOn], exports: own };
}

function checkWidth({ file }: Module): readonly Finding[] {
  return file.text.split('\n').flatMap((line, index) => {
    if (line.length <= LINE_WIDTH) return [];
    return [{ path: file.path, line: index + 1, message: `has ${line.length} characters; a line has at most ${LINE_WIDTH}` }];
  });
}

/** A module that can reach itself is on a cycle; each is reported where it begins its way. */
function checkCycles(modules: readonly Module[]): readonly Finding[] {
  const targets = new Map(modules.map(({ file, requests }) => [file.path, new Set(requests.map(({ path }) => path))]));
  return modules.flatMap(({ file, requests }) => {
    const first = requests.find(({ path }) => reaches(path, file.path, targets));
    if (first === undefined) return [];
    return [{ path: file.path, line: lineAt(file.text, first.start), message: `imports ${first.path}, which leads back: an import cycle` }];
  });
}

function reaches(from: string, to: string, targets: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path === to) return true;
    if (seen.has(path)) continue;
    seen.add(path);
    open.push(...(targets.get(path) ?? []));
  }
  return false;
}

/** The files that lie in the folder itself are what the build compiles: their exports are for TypeScript. */
function checkDeadExports(folder: string, modules: readonly Module[]): readonly Finding[] {
  const used = new Set(modules.flatMap(({ requests }) => requests.map(({ path, name }) => `${path} ${name}`)));
  return modules.flatMap(({ file, exports }) => {
    if (posix.dirname(file.path) === folder) return [];
    return exports
      .filter(({ name }) => !used.has(`${file.path} ${name}`))
      .map(({ name, start }) => ({ path: file.path, line: lineAt(file.text, start), message: `exports ${name}, which no module imports` }));
  });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
