// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { readWalkthrough, type Step } from './walkthrough.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ADDRESS = 'http://127.0.0.1:6573';

test('the page on hybrid search does what it says', async () => {
  const server = await sharedVectorServer();
  const steps = await readWalkthrough('hybrid-search');
  expect(steps.map(({ kind }) => kind)).toEqual(['request', 'request', 'excerpt', 'command', 'request', 'request', 'request', 'request']);
  for (const step of steps) await run(step, server.address);
});

async function run(step: Step, address: string): Promise<void> {
  switch (step.kind) {
    case 'request': {
      const { method, path, body, shown } = step;
      const reply = await fetch(address + path, { method, body, headers: { 'content-type': 'application/json' } });
      const answer = (await reply.json()) as { readonly result?: unknown };
      expect([reply.status, answer]).toEqual([200, expect.anything()]);
      if (shown !== undefined) expect(answer.result).toMatchObject(rounded(shown) as object);
      return;
    }
    case 'command': {
      const [npx, node, file = '', ...rest] = step.line.replace(ADDRESS, address).split(' ');
      expect([npx, node]).toEqual(['npx', 'node']);
      const { stdout } = await promisify(execFile)(process.execPath, [file, ...rest], { cwd: ROOT });
      expect(stdout).toBe('3200 films\n');
      return;
    }
    case 'excerpt':
      expect(await readFile(new URL('load-films.ts', import.meta.url), 'utf8')).toContain(step.text);
      return;
  }
}

/** The page shows three digits after the point; the same number of points as there are. */
function rounded(shown: unknown): unknown {
  if (typeof shown === 'number' && !Number.isInteger(shown)) return expect.closeTo(shown, 2);
  if (Array.isArray(shown)) return shown.map(rounded);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, rounded(value)]));
}
