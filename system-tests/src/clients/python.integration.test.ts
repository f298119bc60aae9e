// SPDX-License-Identifier: Apache-2.0
/** The published clients of Python, unchanged, over REST and gRPC. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseSeed, isLongRun, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFirstTenant } from '../observability/contract/service-under-test.ts';
import { ADMIN } from '../observability/observability-server.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { gettingStarted } from '../walkthroughs/getting-started.ts';
import { missingPythonClients, PYTHON_TIMEOUT_MS, type PythonOutcomes, type PythonVerdict, runPythonPrograms } from './python-programs.ts';

const SEED = chooseSeed();
const ROUNDS = roundsOf({ quick: 3, long: 200 });
/** The frameworks on top of the clients, with the manners and steps of their programs. The import of each takes seconds: one of them in the quick run. */
const FRAMEWORKS = (
  [
    ['langchain-qdrant', 'langchain_calls.py', ['rest', 'grpc'], 3],
    ['llama-index-vector-stores-qdrant', 'llama_index_calls.py', ['rest', 'grpc'], 4],
    ['qdrant-haystack', 'haystack_calls.py', ['rest', 'grpc'], 4],
    ['mem0ai', 'mem0_calls.py', ['rest'], 2],
  ] as const
).slice(0, roundsOf({ quick: 1, long: 4 }));
/** In the folder, each with its arguments after commas. */
const PROGRAMS = [
  'qdrant_calls.py',
  `congruence_calls.py,${SEED},${ROUNDS}`,
  'actian_calls.py',
  ...FRAMEWORKS.map(([, program]) => program),
];
const EXAMPLES = 'examples.py';
const TUTORIAL = 'tutorial.py';
/** In the quick run each of the two interfaces and each of the two kinds of client once; all pairs in the long one, and at a cluster: `../cluster/python.long.test.ts`. */
const MANNERS = isLongRun() ? undefined : ['rest', 'rest async', 'grpc sync', 'grpc and rest'];
const taken = (manners: readonly string[]) => manners.filter((manner) => MANNERS?.includes(manner) ?? true);

/** All of them beside one service. */
async function runPrograms(): Promise<PythonOutcomes> {
  await using directory = await temporaryDirectory();
  const server = await sharedVectorServer();
  const observability = await sharedFirstTenant();
  const [ofPage, ofTutorial] = [join(directory.path, EXAMPLES), join(directory.path, TUTORIAL)];
  await writeFile(ofPage, examples(server.address, new URL(grpcAddressOf(server)).port));
  const password = `import os\nos.environ["PASSWORD"] = "${ADMIN.password}"\n`;
  await writeFile(ofTutorial, password + tutorial({ vector: server.address, observability: observability.address }).program);
  return await runPythonPrograms([server], [...PROGRAMS, ofPage, ofTutorial], MANNERS);
}

const tutorial = (addresses: { readonly vector: string; readonly observability: string }) => gettingStarted('Python', addresses);

/** The examples of the page, as one program. */
function examples(rest: string, grpcPort: string): string {
  const page = readFileSync(new URL('../../../docs/how-to/clients/python.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return [...blocks, `print(${blocks.length})`].join('\n').replaceAll('http://localhost:6573', rest).replaceAll('6574', grpcPort);
}

describe.skipIf(missingPythonClients !== undefined)(`clients of Python${missingPythonClients ?? ''}`, () => {
  let outcomes: PythonOutcomes;

  beforeAll(async () => {
    outcomes = await runPrograms();
  }, PYTHON_TIMEOUT_MS);

  const printedBy = (program: string) => outcomes.printedBy(program);
  const verdictsOf = (program: string) => JSON.parse(printedBy(program)) as { readonly [manner: string]: PythonVerdict };

  test('qdrant-client: every public method, synchronous and asynchronous, and no warning', () => {
    const verdicts = verdictsOf('qdrant_calls.py');
    expect(Object.keys(verdicts)).toEqual(taken(['rest sync', 'rest async', 'grpc sync', 'grpc async']));
    for (const [manner, verdict] of Object.entries(verdicts)) {
      expect({ manner, ...verdict }).toMatchObject({ manner, failed: {}, never_called: [], warnings: [] });
      expect(verdict.passed.length).toBeGreaterThan(15);
    }
  });

  test('qdrant-client: what its own implementation in memory answers', () => {
    const verdicts = verdictsOf('congruence_calls.py');
    expect(Object.keys(verdicts)).toEqual(taken(['rest', 'grpc']));
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

  test('the tutorial Getting started prints what it says', () => {
    const { printed } = tutorial({ vector: '', observability: '' });
    expect(printed).not.toBe('');
    expect(printedBy(TUTORIAL)).toBe(printed);
  });

  test.each(FRAMEWORKS)('%s works as on its own service', (_, program, manners, steps) => {
    const verdicts = verdictsOf(program);
    expect(Object.keys(verdicts)).toEqual(taken(manners));
    for (const { failed, passed } of Object.values(verdicts)) {
      expect(failed).toEqual({});
      expect(passed).toHaveLength(steps);
    }
  });
});
