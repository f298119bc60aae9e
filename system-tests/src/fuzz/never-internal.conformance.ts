// SPDX-License-Identifier: Apache-2.0
import { chooseSeed, temporaryDirectory } from '@sextant/foundation-testing';
import { expect } from 'vitest';
import { startVectorServer } from '../vector-server.ts';
import { UNIMPLEMENTED, type WalkOptions, walkCalls } from './walk.ts';

/** Their valid message names a snapshot that nobody has made. */
const NEVER_FOUND = ['qdrant.Snapshots/Delete', 'qdrant.Snapshots/DeleteFull'];

/** Walks a service of its own, and expects that every call ends with an answer or with a refusal that a caller can act on. */
export async function expectNeverInternal(capabilities: string, options: Omit<WalkOptions, 'seed'>): Promise<void> {
  await using data = await temporaryDirectory();
  await using server = await startVectorServer({ directory: data.path, environment: { SERVICE_CAPABILITIES: capabilities } });
  const { faults, codes } = await walkCalls(server, { ...options, seed: chooseSeed() });
  expect(faults).toEqual([]);
  // A method that never answers anything was not tested.
  const unanswered = [...codes].filter(
    ([method, counted]) => !counted.has(0) && !counted.has(UNIMPLEMENTED) && !NEVER_FOUND.includes(method),
  );
  expect(unanswered).toEqual([]);
  expect(server.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await server.stop();
}
