// SPDX-License-Identifier: Apache-2.0
/** Collections that are opened and closed all the time: everything that holds for an engine holds where only two of them can be open. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { isLongRun, roundsOf } from '@sextant/foundation-testing';
import { openEmbeddedEngine } from './embedded-engine.ts';
import type { Engine } from './engine.ts';
import { describeEngine } from './testing/conformance/engine.conformance.ts';
import { describeIds } from './testing/conformance/ids.conformance.ts';
import { describeMulti } from './testing/conformance/multi.conformance.ts';
import { describeQuantization } from './testing/conformance/quantization.conformance.ts';
import { describeSparse } from './testing/conformance/sparse.conformance.ts';
import { describeVectorNames } from './testing/conformance/vector-names.conformance.ts';

const OTHERS = ['other 1', 'other 2'];
const reached = () => new ServiceError('collections_exhausted', { max: 2, each: 3, limit: 0, connections: 0 });

/** Requests from one at which the places are taken to the next: each opening costs some milliseconds. */
const TAKEN_EVERY = roundsOf({ quick: 12, long: 1 });

/** Before some requests both places are taken by other collections, as far as those that the test uses can be closed. */
function takingPlaces(engine: Engine, takenEvery: number): Engine {
  let requests = 0;
  const takePlaces = async () => {
    for (const other of OTHERS) await engine.count(other, {}).catch(() => undefined);
  };
  const shown: Partial<Engine> = {
    listCollections: async () => (await engine.listCollections()).filter((name) => !OTHERS.includes(name)),
  };
  return new Proxy(engine, {
    get: (target, member: keyof Engine) => {
      const own = shown[member] ?? target[member];
      if (member === 'close' || member === 'admit') return own;
      return async (...request: unknown[]) => {
        if (requests++ % takenEvery === 0) await takePlaces();
        // Each is called with what its own type says: the caller has been checked against it.
        return (own as (...all: unknown[]) => unknown)(...request);
      };
    },
  });
}

async function openSubject(takenEvery = TAKEN_EVERY) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-few-open-'));
  const open = () =>
    openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1), collectionBound: { max: 2, reached } });
  const first = await open();
  for (const other of OTHERS) await first.createCollection(other, { vectors: { size: 1, distance: 'Dot' } });
  const subject = {
    engine: takingPlaces(first, takenEvery),
    reopen: async () => {
      await subject.engine.close();
      subject.engine = takingPlaces(await open(), takenEvery);
    },
    [Symbol.asyncDispose]: async () => {
      await subject.engine.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
  return subject;
}

describeEngine('engine with two open collections', openSubject);
// A collection of codes takes half a second to open, and what an opening does with codes is the same for all kinds.
// What its reads do after that, they do as in any other collection.
if (isLongRun()) describeQuantization('engine with two open collections', openSubject);
describeVectorNames('engine with two open collections', openSubject);
if (isLongRun()) {
  describeIds('engine with two open collections', () => openSubject());
  describeMulti('engine with two open collections', openSubject);
  describeSparse('engine with two open collections', openSubject);
}
