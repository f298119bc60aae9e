// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * The addresses of all modules that a fresh process loads for some: what an import costs at a start.
 * @param modules names as the file `from` would import them
 */
export function loadedModules(modules: readonly string[], from: string): readonly string[] {
  const { resolve } = createRequire(from);
  const addresses = modules.map((name) => pathToFileURL(resolve(name)).href);
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    for (const address of ${JSON.stringify(addresses)}) await import(address);
    process.stdout.write(JSON.stringify([...loaded]), () => process.exit());
  `;
  // The script prints a list of strings and nothing else.
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })) as string[];
}
