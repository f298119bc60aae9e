// SPDX-License-Identifier: Apache-2.0
/**
 * The published clients of Python, unchanged, over REST and gRPC. The programs in `python/` call them; what they need is in a virtual environment
 * that `.ci/run` makes.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chooseSeed, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const ENVIRONMENT = fileURLToPath(new URL('../../../.cache/python-clients', import.meta.url));
const SOURCES = fileURLToPath(new URL('python/', import.meta.url));
const PYTHON = `${ENVIRONMENT}/bin/python`;
const REASON = existsSync(`${ENVIRONMENT}/installed`)
  ? ''
  : ' (skipped: .ci/run makes the environment of the Python clients, which needs Python and PyPI)';

/** On a busy machine the imports alone of some frameworks take a minute. */
const TIMEOUT_MS = 1_200_000;

type Verdict = { readonly passed: readonly string[]; readonly failed: { readonly [step: string]: string } };

type Outcome = { readonly printed: string } | { readonly failed: string };

const SEED = chooseSeed();
const ROUNDS = roundsOf({ quick: 4, long: 200 });
/** In the folder, each with its arguments after commas. */
const PROGRAMS = [
  'qdrant_calls.py',
  `congruence_calls.py,${SEED},${ROUNDS}`,
  'actian_calls.py',
  'langchain_calls.py',
  'llama_index_calls.py',
  'haystack_calls.py',
  'mem0_calls.py',
];
const EXAMPLES = 'examples.py';

/** Runs all programs in one interpreter beside one service. */
async function runPrograms(): Promise<{ readonly [program: string]: Outcome }> {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_CAPABILITIES: 'all' } });
  const grpcPort = new URL(grpcAddressOf(server)).port;
  await writeFile(join(directory.path, EXAMPLES), examples(server.address, grpcPort));
  const runner = join(SOURCES, 'programs.py');
  const programs = [...PROGRAMS.map((program) => join(SOURCES, program)), join(directory.path, EXAMPLES)];
  const { stdout } = await promisify(execFile)(PYTHON, [runner, server.address, grpcPort, ...programs], {
    timeout: TIMEOUT_MS,
    maxBuffer: 10_000_000,
    // What is compiled stays out of the sources.
    env: { PATH: process.env.PATH, HOME: directory.path, PYTHONPYCACHEPREFIX: `${ENVIRONMENT}/compiled` },
  });
  await server.stop();
  return JSON.parse(stdout) as { readonly [program: string]: Outcome };
}

/** The examples of the page, as one program. */
function examples(rest: string, grpcPort: string): string {
  const page = readFileSync(new URL('../../../docs/how-to/clients/python.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return [...blocks, `print(${blocks.length})`].join('\n').replaceAll('http://localhost:6573', rest).replaceAll('6574', grpcPort);
}

describe.skipIf(REASON !== '')(`clients of Python${REASON}`, () => {
  let outcomes: { readonly [program: string]: Outcome };

  beforeAll(async () => {
    outcomes = await runPrograms();
  }, TIMEOUT_MS);

  function printedBy(program: string): string {
    const outcome = outcomes[program];
    if (outcome === undefined) throw new Error(`${program} did not run`);
    if ('failed' in outcome) throw new Error(`${program} failed: ${outcome.failed}`);
    return outcome.printed;
  }

  /** What a program found, by the manner of its calls. */
  const verdictsOf = (program: string) => JSON.parse(printedBy(program)) as { readonly [manner: string]: Verdict };

  test('qdrant-client: every public method, synchronous and asynchronous, and no warning', () => {
    const verdicts = verdictsOf('qdrant_calls.py');
    expect(Object.keys(verdicts)).toEqual(['rest sync', 'rest async', 'grpc sync', 'grpc async']);
    for (const [manner, verdict] of Object.entries(verdicts)) {
      expect({ manner, ...verdict }).toMatchObject({ manner, failed: {}, never_called: [], warnings: [] });
      expect(verdict.passed.length).toBeGreaterThan(15);
    }
  });

  test('qdrant-client: what its own implementation in memory answers', () => {
    const verdicts = verdictsOf('congruence_calls.py');
    expect(Object.keys(verdicts)).toEqual(['rest', 'grpc']);
    for (const { failed, passed } of Object.values(verdicts)) {
      expect({ seed: SEED, failed }).toEqual({ seed: SEED, failed: {} });
      expect(passed).toHaveLength(15);
    }
  });

  test('actian-vectorai-client: every public method of every namespace, but for what its page lists', () => {
    const { 'grpc and rest': verdict } = verdictsOf('actian_calls.py');
    expect(verdict).toMatchObject({
      failed: {},
      never_called: { client: [], collections: [], points: [], vde: [], auth: [], rest: [] },
    });
    expect(verdict?.passed).toHaveLength(10);
  });

  test('the examples of the page run', () => {
    expect(printedBy(EXAMPLES)).toBe('4\n');
  });

  test.each([
    ['langchain-qdrant', 'langchain_calls.py', ['rest', 'grpc'], 3],
    ['llama-index-vector-stores-qdrant', 'llama_index_calls.py', ['rest', 'grpc'], 4],
    ['qdrant-haystack', 'haystack_calls.py', ['rest', 'grpc'], 4],
    ['mem0ai', 'mem0_calls.py', ['rest'], 2],
  ])('%s works as on its own service', (_, program, manners, steps) => {
    const verdicts = verdictsOf(program);
    expect(Object.keys(verdicts)).toEqual(manners);
    for (const { failed, passed } of Object.values(verdicts)) {
      expect(failed).toEqual({});
      expect(passed).toHaveLength(steps);
    }
  });
});
