// SPDX-License-Identifier: Apache-2.0
/**
 * Which workspace may import which. A dependency points down this table; what two packages both need moves down a layer.
 */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { importsOf, isTestFile } from './imports.ts';
import { type Finding, SCOPE, type SourceFile, type SourcePackage } from './source.ts';

/** From the bottom up: a package may import those listed beside it, and no other of ours. */
const LAYERS: { readonly [name: string]: readonly string[] } = {
  'foundation-std': [],
  'foundation-testing': ['foundation-std'],
  'foundation-contract': ['foundation-std'],
  'foundation-service': ['foundation-std', 'foundation-contract'],
  'contracts-vector': ['foundation-std', 'foundation-contract'],
  'contracts-protocol': ['foundation-std', 'contracts-vector'],
  'contracts-observability': ['foundation-std', 'foundation-contract'],
  'vector-kernel': ['foundation-std'],
  'vector-storage': ['foundation-std', 'contracts-vector'],
  'vector-log': ['foundation-std'],
  'vector-collection': ['foundation-std', 'contracts-vector', 'vector-kernel', 'vector-storage'],
  'vector-replication': ['foundation-std', 'contracts-vector', 'vector-storage', 'vector-log', 'vector-collection'],
  'vector-server': [
    'foundation-std',
    'foundation-contract',
    'foundation-service',
    'contracts-protocol',
    'contracts-vector',
    'vector-kernel',
    'vector-storage',
    'vector-collection',
    'vector-log',
    'vector-replication',
  ],
  'observability-metadata': ['foundation-std', 'contracts-observability'],
  'observability-connectors': ['foundation-std', 'foundation-service', 'contracts-protocol', 'contracts-observability'],
  'observability-scan': ['foundation-std', 'contracts-observability', 'observability-connectors'],
  'observability-monitors': ['foundation-std', 'contracts-observability'],
  'observability-delivery': ['foundation-std', 'foundation-service', 'contracts-observability'],
  'observability-server': [
    'foundation-std',
    'foundation-contract',
    'foundation-service',
    'contracts-observability',
    'observability-metadata',
    'observability-connectors',
    'observability-scan',
    'observability-monitors',
    'observability-delivery',
  ],
  sdk: ['foundation-std', 'contracts-protocol', 'contracts-vector', 'contracts-observability'],
  // Of the scan it takes the checks of vectors, which need no engine; of the connectors the object stores, for backups.
  cli: [
    'foundation-std',
    'foundation-contract',
    'foundation-service',
    'contracts-vector',
    'observability-connectors',
    'observability-scan',
    'sdk',
  ],
  console: ['foundation-std', 'sdk'],
  'system-tests': [
    'cli',
    'sdk',
    'foundation-std',
    'foundation-service',
    'foundation-testing',
    'contracts-protocol',
    'contracts-vector',
    'contracts-observability',
    'vector-kernel',
    'vector-collection',
    'vector-log',
    'vector-server',
    'vector-storage',
    'observability-server',
    'observability-metadata',
    'observability-connectors',
    'observability-scan',
    'observability-monitors',
  ],
  tools: [
    'cli',
    'foundation-std',
    'foundation-contract',
    'foundation-service',
    'foundation-testing',
    'contracts-vector',
    'contracts-observability',
    'vector-server',
    'observability-server',
  ],
};

/** Test helpers may be used by any package's tests, and by nothing that ships. */
const TEST_PACKAGES = ['foundation-testing'];
/** What the tests of a package may compare it with besides; the console itself knows the services by the SDK alone. */
const BELOW_TESTS: { readonly [name: string]: readonly string[] } = { console: ['contracts-vector', 'contracts-observability'] };
const ROOT_TEST_TOOLS = ['vitest', 'fast-check'];

export function checkLayers(packages: readonly SourcePackage[]): readonly Finding[] {
  const entries = new Set(packages.flatMap(({ name, entries }) => entries.map((entry) => `${name}/${entry}`)));
  return packages.flatMap((source) => {
    const allowed = LAYERS[source.name];
    if (allowed === undefined) {
      return [{ path: source.folder, message: `${source.name} has no place in the table of tools/tidy/layers.ts` }];
    }
    return source.files.flatMap((file) => importFindings({ source, file, allowed, entries }));
  });
}

type Importer = {
  readonly source: SourcePackage;
  readonly file: SourceFile;
  readonly allowed: readonly string[];
  /** What packages of ours offer beside their index. */
  readonly entries: ReadonlySet<string>;
};

function importFindings(importer: Importer): readonly Finding[] {
  const { file } = importer;
  return importsOf(file).flatMap(({ specifier, line }) => {
    const message = importProblem(importer, specifier);
    return message === undefined ? [] : [{ path: file.path, line, message }];
  });
}

function importProblem({ source, file: { path }, allowed, entries }: Importer, specifier: string): string | undefined {
  const isTest = isTestFile(path);
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    return target.startsWith(`${source.folder}/`) ? undefined : `imports ${specifier} outside its package; use the package's name`;
  }
  // A package's own import map (`imports` of its package.json), which leads to files of its own.
  if (specifier.startsWith('#')) return undefined;
  if (specifier.startsWith('node:')) return undefined;
  if (builtinModules.includes(specifier)) return `imports ${specifier}; write node:${specifier}`;
  if (specifier.startsWith(SCOPE)) {
    const name = specifier.slice(SCOPE.length);
    const [target = '', ...deep] = name.split('/');
    if (deep.length > 0 && !entries.has(name)) return `imports ${specifier}, a path inside another package; use what its index exports`;
    const isBelowTest = isTest && [...TEST_PACKAGES, ...(BELOW_TESTS[source.name] ?? [])].includes(target);
    if (!allowed.includes(target) && !isBelowTest) return `imports ${specifier}, which is not below ${source.name} in tools/tidy/layers.ts`;
  }
  // The tools say how tests are run, too.
  if ((isTest || source.name === 'tools') && ROOT_TEST_TOOLS.includes(packageOf(specifier))) return undefined;
  const dependency = packageOf(specifier);
  return source.dependencies.includes(dependency) ? undefined : `imports ${dependency}, which its package.json does not declare`;
}

/** The package that a specifier belongs to: `pkg/sub` and `@scope/pkg/sub` lose what follows the name. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
