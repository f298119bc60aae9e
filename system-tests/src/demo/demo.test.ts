// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readMnist } from '../data/mnist.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { classifyMnist, indexMnist, loadMnist, recallOfMnist } from './mnist.ts';

test('300 handwritten digits are read by their neighbours among 3,000', async () => {
  const train = await readMnist('train', 3000);
  const unknown = await readMnist('t10k', 300);
  const server = await sharedVectorServer();
  const api = vectorApi(server.client).collection('mnist');
  await loadMnist(api, train, () => {});
  await indexMnist(api, train);
  expect((await classifyMnist(api, unknown, () => {})).accuracy).toBeGreaterThan(0.9);
  expect(await recallOfMnist(api, unknown, 50)).toBeGreaterThan(0.95);
});
