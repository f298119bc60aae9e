// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run demo:vector`: loads the 60,000 MNIST digits through the REST API and reads the 10,000 test digits by their neighbours.
 * Starts a server of its own over a temporary directory; `--url http://127.0.0.1:6573` uses a running one instead.
 */
import { type ChildServer, jsonClient, readFlags, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { readMnist, TEST_COUNT, TRAIN_COUNT } from '../data/mnist.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { classifyMnist, type Figures, indexMnist, loadMnist, recallOfMnist } from './mnist.ts';
import { progress } from './progress.ts';

const COLLECTION = 'mnist';
const RECALL_SAMPLE = 200;

const { values } = readFlags({
  options: {
    url: { type: 'string' },
    train: { type: 'string', default: String(TRAIN_COUNT) },
    test: { type: 'string', default: String(TEST_COUNT) },
  },
});
const train = await readMnist('train', Number(values.train));
const test = await readMnist('t10k', Number(values.test));

await using stack = new AsyncDisposableStack();
const url = values.url ?? (await ownServer()).address;
const client = stack.use(jsonClient({ baseUrl: url }));
const api = vectorApi(client).collection(COLLECTION);

console.log(`MNIST: ${train.count} training and ${test.count} test images of ${train.dimension} pixels; server ${url}`);
const loading = progress('Upload', train.count);
const upload = await loadMnist(api, train, loading.advance);
console.log('Waiting for the index');
const index = await indexMnist(api, train);
const classifying = progress('Classify', test.count);
const classification = await classifyMnist(api, test, classifying.advance);
const recall = await recallOfMnist(api, test, Math.min(RECALL_SAMPLE, test.count));

console.log(`
accuracy        ${classification.accuracy.toFixed(4)}
recall@10       ${recall.toFixed(4)} against exact search
upload          ${rate(upload)} points/s
index           ready ${index.seconds.toFixed(1)} s after the last upsert
search          ${rate(classification)} searches/s`);

async function ownServer(): Promise<ChildServer> {
  const directory: TemporaryDirectory = stack.use(await temporaryDirectory());
  return stack.use(await startVectorServer({ directory: directory.path }));
}

function rate({ count, seconds }: Figures): number {
  return Math.round(count / seconds);
}
