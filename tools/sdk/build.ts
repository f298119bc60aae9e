// SPDX-License-Identifier: Apache-2.0
/**
 * Builds the package that is published: one bundle for Node, one for browsers, and declarations that need no other package of ours. In the
 * repository the SDK runs from source; this is for everybody else.
 *
 * The bundler is rolldown, which the test runner brings along anyway; the declarations come from the compiler itself, file by file, because
 * bundlers of declarations bring parsers of their own.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'rolldown';
import { sdkDeclarations } from './declarations.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SDK = join(ROOT, 'clients/sdk');

/** Of Node's bundle, and installed with the package. The descriptors of the protocol are bundled: their package asks for a compiler. */
const DEPENDENCIES = ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-node'];

/** Writes the package to a directory, whose content it replaces. */
export async function buildSdk(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const platform of ['node', 'browser'] as const) await bundle(platform, join(directory, platform));
  for (const { path, text } of sdkDeclarations()) {
    const target = join(directory, 'types', path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withExtensions(text));
  }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(SDK, 'README.md'), join(directory, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(directory, 'LICENSE'));
}

async function bundle(platform: 'node' | 'browser', directory: string): Promise<void> {
  await build({
    input: join(SDK, 'src/index.ts'),
    platform,
    external: (id) => id.startsWith('node:') || DEPENDENCIES.some((name) => id === name || id.startsWith(`${name}/`)),
    // A dependency that is missing would otherwise become an import that fails at run time.
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${log.code}: ${log.message}`);
    },
    output: { dir: directory, format: 'esm', entryFileNames: 'index.js', chunkFileNames: '[name].js', comments: { legal: true } },
  });
}

/** Declarations of modules that are bundled: their imports lead to each other as those of JavaScript do. */
function withExtensions(text: string): string {
  return text.replaceAll(/(from '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'");
}

function manifest(): object {
  const source = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly description: string;
    readonly license: string;
    readonly dependencies: { readonly [name: string]: string };
  };
  const { name, version, description, license, dependencies } = source;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    // `URL.parse`, and JSON with exact integers.
    engines: { node: '>=22.1' },
    exports: {
      '.': { types: './types/index.d.ts', browser: './browser/index.js', node: './node/index.js', default: './browser/index.js' },
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(DEPENDENCIES.map((dependency) => [dependency, dependencies[dependency]])),
  };
}
