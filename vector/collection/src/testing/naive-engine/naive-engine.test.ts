// SPDX-License-Identifier: Apache-2.0
import { describeEngine } from '../conformance/engine.conformance.ts';
import { describeIds } from '../conformance/ids.conformance.ts';
import type { KeptCollection } from './naive-collection.ts';
import { openNaiveEngine } from './naive-engine.ts';

async function openSubject() {
  const collections = new Map<string, KeptCollection>();
  const subject = {
    engine: openNaiveEngine(collections),
    reopen: async () => {
      subject.engine = openNaiveEngine(collections);
    },
    [Symbol.asyncDispose]: async () => collections.clear(),
  };
  return subject;
}

describeEngine('naive engine', openSubject);
describeEngine('naive engine, float16', openSubject, { datatype: 'float16' });
describeIds('naive engine', openSubject);
describeEngine('naive engine, uint8', openSubject, { datatype: 'uint8' });
