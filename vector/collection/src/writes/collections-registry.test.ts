// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

test('a registry whose bits have flipped opens nothing, and takes no collection for one that was never created', async () => {
  await using directory = await temporaryDirectory();
  const open = () => openEmbeddedEngine({ dataDirectory: directory.path, clock: systemClock, random: seededRandom(1) });
  const engine = await open();
  await engine.createCollection('films', { vectors: { size: 1, distance: 'Dot' } });
  await engine.upsert('films', [{ id: 1, vector: [1] }]);
  await engine.close();
  const file = join(directory.path, 'system', 'data.mdb');
  const sound = readFileSync(file);
  const damaged = Buffer.from(sound);
  for (let at = damaged.indexOf('000001'); at !== -1; at = damaged.indexOf('000001', at + 1)) damaged.write('000003', at);
  expect(damaged.equals(sound)).toBe(false);
  writeFileSync(file, damaged);
  await expect(open()).rejects.toThrow('restore the folder system from a copy');
  expect(existsSync(join(directory.path, 'collections', '000001', 'data.mdb'))).toBe(true);
  writeFileSync(file, sound);
  const restored = await open();
  expect(await restored.retrieve('films', { ids: [1] })).toHaveLength(1);
  await restored.close();
});
