// SPDX-License-Identifier: Apache-2.0
/** The published client of Python, unchanged, at a cluster of three nodes: all of its calls, and the same calls answered by its own implementation in memory. */
import { chooseSeed, missingNats } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { missingPythonClients, type PythonVerdict, runPythonPrograms } from '../clients/python-programs.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats() ?? missingPythonClients;
const SEED = chooseSeed();
const ROUNDS = 200;
const CALLS = ['rest sync', 'rest async', 'grpc sync', 'grpc async'];

describe.skipIf(missing !== undefined)(missing ?? 'qdrant-client of Python at three nodes over NATS', () => {
  test.each([
    ['on every node', [['qdrant_calls.py', CALLS]]],
    [
      'in shards',
      [
        ['qdrant_calls.py,shards', CALLS],
        [`congruence_calls.py,${SEED},${ROUNDS},shards`, ['rest', 'grpc']],
      ],
    ],
  ] as const)('a collection %s', async (_, programs) => {
    const { cluster } = await sharedCluster();
    const outcomes = await runPythonPrograms(
      cluster.servers,
      programs.map(([program]) => program),
    );
    for (const [program, manners] of programs) expectAllPassed(outcomes.printedBy(program.split(',')[0] ?? ''), manners);
  });
});

function expectAllPassed(printed: string, manners: readonly string[]): void {
  const verdicts = JSON.parse(printed) as { readonly [manner: string]: PythonVerdict };
  expect(Object.keys(verdicts)).toEqual(manners);
  for (const [manner, { failed, passed }] of Object.entries(verdicts)) {
    expect({ seed: SEED, manner, failed }).toEqual({ seed: SEED, manner, failed: {} });
    expect(passed.length).toBeGreaterThan(14);
  }
}
