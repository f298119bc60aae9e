import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** What takes longest to load of all that the service uses; only threads that answer requests need it. */
const HEAVY = ['typebox', 'fastify', 'prom-client'];

/** What main, the indexer and the linkers are made of. */
const MODULES = ['./supervisor.ts', '../configuration.ts', '@sextant/vector-collection', '@sextant/foundation-service'];

test('a thread that answers no request loads neither schemas nor the HTTP framework', () => {
  const { resolve } = createRequire(import.meta.url);
  const urls = MODULES.map((name) => pathToFileURL(resolve(name)).href);
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    for (const url of ${JSON.stringify(urls)}) await import(url);
    process.stdout.write(JSON.stringify([...loaded]), () => process.exit());
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  const loaded: readonly string[] = JSON.parse(printed);
  expect(loaded.length).toBeGreaterThan(100);
  for (const name of HEAVY) expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([]);
});
