// SPDX-License-Identifier: Apache-2.0
/**
 * Builds the packages that are published. In the repository everything runs from source; these are for everybody else:
 *
 * - `@sextant/sextant`: both services, the console, and the command line with its MCP server;
 * - `@sextant/cli`: the command line and the MCP server alone, which need no native code;
 * - `@sextant/sdk`: the typed client.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BUNDLE_FILE, type Bundle, bundlePrograms, EXTERNAL_PACKAGES, PROGRAMS, ROOT } from '../bundle/bundle.ts';
import { buildSdk } from '../sdk/build.ts';
import { licensesOf } from './licenses.ts';

/** What runs the bundles: `using`, `Float16Array` and `node:sqlite` without a flag. */
export const NODE_MAJOR_MIN = 24;

type ProgramPackage = {
  readonly name: string;
  readonly description: string;
  readonly readme: string;
  /** Programs of the repository that are left out. */
  readonly withoutPrograms: readonly string[];
};

const SERVICES = ['tools/start/main.ts', 'vector/server/src/main.ts', 'observability/server/src/main.ts'];

const PROGRAM_PACKAGES: readonly ProgramPackage[] = [
  {
    name: '@sextant/sextant',
    description: 'A vector database and a data observability platform: both services, their console, the command line and its MCP server.',
    readme: 'sextant.md',
    withoutPrograms: [],
  },
  {
    name: '@sextant/cli',
    description: 'The command line of Sextant and its MCP server, for services that run elsewhere.',
    readme: 'cli.md',
    withoutPrograms: SERVICES,
  },
];

/**
 * Writes each package to a folder of `directory`, and resolves with these folders.
 * @param bundled where all programs are bundled already
 */
export async function buildPackages(directory: string, bundled?: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const program of PROGRAM_PACKAGES) {
    const folder = join(directory, unscoped(program.name));
    await buildProgram(program, folder, bundled);
    folders.push(folder);
  }
  const sdk = join(directory, 'sdk');
  await buildSdk(sdk);
  return [...folders, sdk];
}

async function buildProgram(program: ProgramPackage, folder: string, bundled: string | undefined): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const { withoutPrograms } = program;
  const directory = join(folder, 'dist');
  const bundle =
    bundled === undefined || withoutPrograms.length > 0
      ? await bundlePrograms({ entries: PROGRAMS, directory, withoutPrograms })
      : takenOver(bundled, directory);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(program, bundle), null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.md'), licensesOf(bundle.libraryFolders));
  copyFileSync(join(import.meta.dirname, 'readme', program.readme), join(folder, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(import.meta.dirname, 'sextant.mjs'), join(folder, 'bin/sextant.mjs'));
  chmodSync(join(folder, 'bin/sextant.mjs'), 0o755);
}

/** Without what it says of itself, and what Node.js keeps of the modules of programs that have run. */
function takenOver(bundled: string, directory: string): Bundle {
  cpSync(bundled, directory, { recursive: true, filter: (path) => ![BUNDLE_FILE, '.compiled'].includes(basename(path)) });
  // Written by who has bundled them.
  return JSON.parse(readFileSync(join(bundled, BUNDLE_FILE), 'utf8')) as Bundle;
}

function manifestOf({ name, description }: ProgramPackage, { importedPackages }: Bundle): object {
  const versions = versionsInUse();
  const pick = (names: readonly string[], prefix: string) =>
    Object.fromEntries(names.filter((each) => importedPackages.includes(each)).map((each) => [each, prefix + versionOf(each, versions)]));
  const optional = pick(EXTERNAL_PACKAGES.optional, '^');
  const { version, license } = readManifest(ROOT);
  return {
    name,
    version,
    description,
    license,
    keywords: ['vector database', 'data observability', 'mcp'],
    type: 'module',
    engines: { node: `>=${NODE_MAJOR_MIN}` },
    bin: { sextant: 'bin/sextant.mjs' },
    // Nothing is imported from this package; programs that look at its version are served.
    exports: { './package.json': './package.json' },
    dependencies: pick(EXTERNAL_PACKAGES.installed, ''),
    ...(Object.keys(optional).length > 0 && {
      peerDependencies: optional,
      peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((each) => [each, { optional: true }])),
    }),
  };
}

type Manifest = {
  readonly version: string;
  readonly license: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
};

function readManifest(folder: string): Manifest {
  // Ours, and npm has read it before.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The versions that the tests of this repository run with. */
function versionsInUse(): { readonly [name: string]: string } {
  // The native code of DuckDB is a dependency of its interface, which is in the bundle.
  const folders = [
    'vector/storage',
    'observability/scan',
    'observability/connectors',
    'observability/metadata',
    'node_modules/@duckdb/node-api',
  ];
  const manifests = folders.map((folder) => readManifest(join(ROOT, folder)));
  return Object.assign({}, ...manifests.flatMap(({ devDependencies, dependencies }) => [devDependencies, dependencies]));
}

function versionOf(name: string, versions: { readonly [name: string]: string }): string {
  const version = versions[name];
  if (version === undefined) throw new Error(`no manifest of this repository names a version of ${name}`);
  return version;
}

function unscoped(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
