// SPDX-License-Identifier: Apache-2.0
/** The pages with programs in TypeScript: the blocks of each are one that compiles, runs and prints what its comments say. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLongRun, roundsOf } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedFirstTenant } from '../observability/contract/service-under-test.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { grpcAddressOf } from '../vector-server.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Printed before what a page prints. */
const PAGE = 'page: ';
/** In this order: the second moves what the first has stored. The last two load frameworks, which takes longer than all else: they have their turn in the long run. */
const PAGES = ['sdk', 'migrating-from-qdrant', 'mastra', 'llama-index'].slice(0, roundsOf({ quick: 2, long: 4 }));
const programs = PAGES.map((name) => {
  const page = readFileSync(join(ROOT, `docs/how-to/clients/${name}.md`), 'utf8');
  const text = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
  return { name, text: inFewPoints(text) };
});

/** A program that stores 4,990 points, with a tenth of them in batches of a tenth. */
function inFewPoints(program: string): string {
  return program
    .replace('id < 5000', 'id < 509')
    .replaceAll(/\b(?:4990|4993)\b/g, (count) => String(Number(count) - 4491))
    .replace('batchSize: 500', 'batchSize: 50')
    .replace('limit: 1000', 'limit: 100');
}

/** What is printed, of the lines that say so. */
function printedBy(program: string): readonly (string | undefined)[] {
  return [...program.matchAll(/console\.log\(.*\); \/\/ (.*)|message\)\); \/\/ (.*)/g)].map(([, first, second]) => first ?? second);
}

/** Within the repository, where the program finds the package. */
let directory: string;

beforeAll(() => {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  directory = mkdtempSync(join(ROOT, '.cache/typescript-pages-'));
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

// Those of the short run compile in `tools/sdk/package.test.ts`, with the types that are published.
test.runIf(isLongRun())('the blocks compile', () => {
  for (const { name, text } of programs) writeFileSync(join(directory, `${name}.ts`), text);
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  // Several threads would each work out the types of the contracts.
  expect(spawnSync(process.execPath, [compiler, '--singleThreaded', '--project', directory], { encoding: 'utf8' }).stdout).toBe('');
});

test('the blocks run, and print what they say', async () => {
  const vector = await sharedVectorServer();
  const observability = await sharedFirstTenant();
  for (const { name, text } of programs) {
    const here = text
      .replaceAll(/http:\/\/localhost:6[35][37]3/g, vector.address)
      .replaceAll('http://localhost:6574', grpcAddressOf(vector))
      .replaceAll('http://localhost:6580', observability.address);
    writeFileSync(join(directory, `${name}.here.ts`), here);
  }
  // One after the other in one process: they load the same libraries.
  const all = programs.map(({ name }) => `console.log('${PAGE}${name}');\nawait import('./${name}.here.ts');\n`);
  writeFileSync(join(directory, 'all.here.ts'), all.join(''));
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(directory, 'all.here.ts')], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const printed = stdout.split(PAGE).slice(1);
  expect(printed).toHaveLength(programs.length);
  for (const [index, { name, text }] of programs.entries()) {
    const said = printedBy(text);
    expect(said.length).toBeGreaterThan(0);
    const lines = printed[index]?.split('\n');
    for (const line of said) expect(lines, name).toContain(line);
  }
});
