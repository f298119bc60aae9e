import { temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { configFromRequest } from '../collection-config.ts';
import { silentLog } from '../log.ts';
import { CollectionMemory } from './collection-memory.ts';

/** A vector of 65,536 dimensions takes 256 KiB, so a few thousand fill the 4 GiB of a space; reserving touches none of them. */
const WIDE = { size: 65_536, distance: 'Dot' } as const;
const MORE_THAN_FIT = 20_000;

test('what does not fit is refused with the limit, and what fits afterwards is taken', async () => {
  await using scratch = await temporaryDirectory();
  const storage = createCollectionStorage({ directory: `${scratch.path}/wide` });
  const memory = new CollectionMemory({
    name: 'wide',
    directory: `${scratch.path}/wide`,
    config: configFromRequest({ vectors: WIDE }),
    storage,
    log: silentLog,
  });
  expect(() => memory.takeRows(MORE_THAN_FIT)).toThrow('have reached the limit');
  expect(memory.takeRows(2)).toEqual([0, 1]);
  storage.close();
});
