// SPDX-License-Identifier: Apache-2.0
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { readMnist } from '../data/mnist.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { classifyMnist, indexMnist, loadMnist, recallOfMnist } from './mnist.ts';

test('300 handwritten digits are read by their neighbours among 3,000', async () => {
  const train = await readMnist('train', 3000);
  const unknown = await readMnist('t10k', 300);
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path });
  const api = vectorApi(server.client).collection('mnist');
  await loadMnist(api, train, () => {});
  await indexMnist(api, train);
  expect((await classifyMnist(api, unknown, () => {})).accuracy).toBeGreaterThan(0.9);
  expect(await recallOfMnist(api, unknown, 50)).toBeGreaterThan(0.95);
  await server.stop();
});
