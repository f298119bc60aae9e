// SPDX-License-Identifier: Apache-2.0
/**
 * The published clients of Python, unchanged, over REST and gRPC. The programs in `python/` call them; what they need is in a virtual environment
 * that `.ci/run` makes.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chooseSeed, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const ENVIRONMENT = fileURLToPath(new URL('../../../.cache/python-clients', import.meta.url));
const PYTHON = `${ENVIRONMENT}/bin/python`;
const REASON = existsSync(`${ENVIRONMENT}/installed`)
  ? ''
  : ' (skipped: .ci/run makes the environment of the Python clients, which needs Python and PyPI)';

/** On a busy machine the imports alone of some frameworks take a minute. */
const TIMEOUT_MS = 1_200_000;

type Verdict = { readonly passed: readonly string[]; readonly failed: { readonly [step: string]: string } };

/** What a program found, by the manner of its calls. */
async function verdictsOf(program: string, more: readonly string[] = []): Promise<{ readonly [manner: string]: Verdict }> {
  const file = fileURLToPath(new URL(`python/${program}`, import.meta.url));
  const printed = await withService((rest, grpcPort) => [file, rest, grpcPort, ...more]);
  return JSON.parse(printed) as { readonly [manner: string]: Verdict };
}

/** Runs Python beside a service of its own, and answers what it prints. */
async function withService(argumentsOf: (rest: string, grpcPort: string) => readonly string[]): Promise<string> {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_CAPABILITIES: 'all' } });
  const { stdout } = await promisify(execFile)(PYTHON, argumentsOf(server.address, new URL(grpcAddressOf(server)).port), {
    timeout: TIMEOUT_MS,
    maxBuffer: 10_000_000,
    // What is compiled stays out of the sources.
    env: { PATH: process.env.PATH, HOME: directory.path, PYTHONPYCACHEPREFIX: `${ENVIRONMENT}/compiled` },
  });
  await server.stop();
  return stdout;
}

/** The examples of the page, as one program. */
function examples(rest: string, grpcPort: string): string {
  const page = readFileSync(new URL('../../../docs/how-to/clients/python.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return [...blocks, `print(${blocks.length})`].join('\n').replaceAll('http://localhost:6573', rest).replaceAll('6574', grpcPort);
}

describe.skipIf(REASON !== '')(`clients of Python${REASON}`, () => {
  test(
    'qdrant-client: every public method, synchronous and asynchronous, and no warning',
    async () => {
      const verdicts = await verdictsOf('qdrant_calls.py');
      expect(Object.keys(verdicts)).toEqual(['rest sync', 'rest async', 'grpc sync', 'grpc async']);
      for (const [manner, verdict] of Object.entries(verdicts)) {
        expect({ manner, ...verdict }).toMatchObject({ manner, failed: {}, never_called: [], warnings: [] });
        expect(verdict.passed.length).toBeGreaterThan(15);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'qdrant-client: what its own implementation in memory answers',
    async () => {
      const [seed, rounds] = [chooseSeed(), roundsOf({ quick: 12, long: 200 })];
      const verdicts = await verdictsOf('congruence_calls.py', [String(seed), String(rounds)]);
      expect(Object.keys(verdicts)).toEqual(['rest', 'grpc']);
      for (const { failed, passed } of Object.values(verdicts)) {
        expect({ seed, failed }).toEqual({ seed, failed: {} });
        expect(passed).toHaveLength(15);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'actian-vectorai-client: every public method of every namespace, but for what its page lists',
    async () => {
      const { 'grpc and rest': verdict } = await verdictsOf('actian_calls.py');
      expect(verdict).toMatchObject({
        failed: {},
        never_called: { client: [], collections: [], points: [], vde: [], auth: [], rest: [] },
      });
      expect(verdict?.passed).toHaveLength(10);
    },
    TIMEOUT_MS,
  );

  test(
    'the examples of the page run',
    async () => {
      expect(await withService((rest, grpcPort) => ['-c', examples(rest, grpcPort)])).toBe('4\n');
    },
    TIMEOUT_MS,
  );

  test.each([
    ['langchain-qdrant', 'langchain_calls.py', ['rest', 'grpc'], 3],
    ['llama-index-vector-stores-qdrant', 'llama_index_calls.py', ['rest', 'grpc'], 4],
    ['qdrant-haystack', 'haystack_calls.py', ['rest', 'grpc'], 4],
    ['mem0ai', 'mem0_calls.py', ['rest'], 2],
  ])(
    '%s works as on its own service',
    async (_, program, manners, steps) => {
      const verdicts = await verdictsOf(program);
      expect(Object.keys(verdicts)).toEqual(manners);
      for (const { failed, passed } of Object.values(verdicts)) {
        expect(failed).toEqual({});
        expect(passed).toHaveLength(steps);
      }
    },
    TIMEOUT_MS,
  );
});
