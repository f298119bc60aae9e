// SPDX-License-Identifier: Apache-2.0
/** What a process leaves that is killed while it writes or takes in snapshots of the published client; in the quick run those of `../crash` are. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QdrantClient } from '@qdrant/js-client-rest';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, chooseSeed, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { batch, fill } from './marked-batches.ts';

/** Of kills: the first while a snapshot is written, the others while one is taken in. */
const ROUNDS = 6;

const start = (at: string) => startVectorServer({ directory: at, environment: { SERVICE_CAPABILITIES: 'all' } });
const clientOf = ({ address }: ChildServer) => new QdrantClient({ url: address });
const everything = (of: ChildServer, name: string) => scrollAll(vectorApi(of.client).collection(name));

test('a process that is killed while it writes or takes in a snapshot leaves what was there before, and nothing else', async () => {
  await using data = await temporaryDirectory();
  const random = seededRandom(chooseSeed());
  let running = await start(data.path);
  await fill(clientOf(running), 'things', 10);
  const saved = await everything(running, 'things');
  const first = await clientOf(running).createSnapshot('things');
  const location = `file://${data.path}/snapshots/things/${first?.name}`;
  await clientOf(running).upsert('things', { wait: true, points: batch(99) });
  let current = await everything(running, 'things');

  for (let round = 0; round < ROUNDS; round++) {
    const isRecovery = round > 0;
    const job = isRecovery ? clientOf(running).recoverSnapshot('things', { location }) : clientOf(running).createSnapshot('things');
    const ended = job.then(
      () => true,
      () => false,
    );
    await sleep(random.integer(isRecovery ? 700 : 40));
    await running.kill();
    const wasAnswered = await ended;
    running = await start(data.path);
    const found = await everything(running, 'things');
    const expected = wasAnswered ? [saved] : [saved, current];
    if (isRecovery) expect(expected).toContainEqual(found);
    else expect(found).toEqual(current);
    expect(readdirSync(join(data.path, 'collections'))).toHaveLength(1);
    expect(readdirSync(join(data.path, 'snapshots'))).not.toContain('.drafts');
    for (const { name, checksum } of await clientOf(running).listSnapshots('things')) {
      const bytes = readFileSync(join(data.path, 'snapshots', 'things', name));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksum);
    }
    await clientOf(running).upsert('things', { wait: true, points: batch(99) });
    current = await everything(running, 'things');
  }
  await running.stop();
});
