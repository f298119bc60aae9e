import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { describeEngine } from './engine.conformance.ts';

describeEngine('embedded engine', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-engine-'));
  const open = () => openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1) });
  const subject = {
    engine: await open(),
    reopen: async () => {
      await subject.engine.close();
      subject.engine = await open();
    },
    [Symbol.asyncDispose]: async () => {
      await subject.engine.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
  return subject;
});
