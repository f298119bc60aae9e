// SPDX-License-Identifier: Apache-2.0
import { type ChildServer, chooseSeed, temporaryDirectory } from '@sextant/foundation-testing';
import { expect } from 'vitest';
import { startVectorServer } from '../vector-server.ts';
import { UNIMPLEMENTED, type WalkOptions, walkCalls } from './walk.ts';

/** Their valid message names a snapshot that nobody has made. */
const NEVER_FOUND = ['qdrant.Snapshots/Delete', 'qdrant.Snapshots/DeleteFull'];

type Options = Omit<WalkOptions, 'seed'>;

/** Walks a service, and expects that every call ends with an answer or with a refusal that a caller can act on. */
export async function expectNeverInternal(server: ChildServer, options: Options): Promise<void> {
  const logged = server.log.length;
  const { faults, codes } = await walkCalls(server, { ...options, seed: chooseSeed() });
  expect(faults).toEqual([]);
  // A method that never answers anything was not tested.
  const unanswered = [...codes].filter(
    ([method, counted]) => !counted.has(0) && !counted.has(UNIMPLEMENTED) && !NEVER_FOUND.includes(method),
  );
  expect(unanswered).toEqual([]);
  expect(server.log.slice(logged).filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

/** Walks a service of its own, which stops in order after that. */
export async function expectNeverInternalOfItsOwn(capabilities: string, options: Options): Promise<void> {
  await using data = await temporaryDirectory();
  await using server = await startVectorServer({ directory: data.path, environment: { SERVICE_CAPABILITIES: capabilities } });
  await expectNeverInternal(server, options);
  await server.stop();
}
