// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run soak -- --minutes 60`: the service under a mix of requests at 80 % of what it can do, which is measured first. Prints what each minute came to, and in
 * the end whether anything grows; leaves with exit code 1 where something does or a request failed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MALLOC_SETTINGS } from '@sextant/foundation-service';
import { readFlags, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { busyShare, describeMachine, thisMachine } from '../bench/machine.ts';
import { ofEachFigure, percentile } from '../bench/statistics.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { measureCapacity, OpenLoad } from './load.ts';
import { operationsOf, prepare } from './operations.ts';
import { type Resources, resourcesOf } from './resources.ts';
import { judge, type Minute } from './verdict.ts';

const SHARE_OF_CAPACITY = 0.8;
const CLIENTS = 16;
const WARM_UP_SECONDS = 20;
const CAPACITY_SECONDS = 40;
const SAMPLES_PER_MINUTE = 6;
const MINUTE_MS = 60_000;

const { values } = readFlags({ options: { minutes: { type: 'string', default: '60' } } });
const minutesWanted = Number(values.minutes);
if (!Number.isInteger(minutesWanted) || minutesWanted < 1) {
  process.stderr.write(`soak: --minutes is ${JSON.stringify(values.minutes)}; expected a whole number from 1 on\n`);
  process.exit(2);
}

await withSeed(async (random) => {
  await using directory = await temporaryDirectory();
  console.log(`${describeMachine(thisMachine())}; others use ${Math.round((await busyShare()) * 100)} % of the processor`);
  const environment = { ...MALLOC_SETTINGS, SERVICE_CAPABILITIES: 'snapshots' };
  await using server = await startVectorServer({ directory: directory.path, environment });
  const vectors = vectorApi(server.client);
  await prepare(vectors, random);
  const subject = { vectors, operations: operationsOf(random), random };
  await measureCapacity(subject, { clients: CLIENTS, seconds: WARM_UP_SECONDS });
  const capacity = await measureCapacity(subject, { clients: CLIENTS, seconds: CAPACITY_SECONDS });
  const rate = capacity * SHARE_OF_CAPACITY;
  console.log(`${capacity.toFixed(0)} requests a second with ${CLIENTS} clients; the load is ${rate.toFixed(0)} a second\n`);
  const load = new OpenLoad(subject, rate);
  const end = new AbortController();
  const running = load.run(end.signal);
  const minutes: Minute[] = [];
  console.log('minute  rate/s  resident  heap  external  descriptors  disk MB  p50 ms  p99 ms  p99.9 ms  errors');
  for (let minute = 1; minute <= minutesWanted; minute++) {
    const samples: Resources[] = [];
    for (let sample = 0; sample < SAMPLES_PER_MINUTE; sample++) {
      await sleep(MINUTE_MS / SAMPLES_PER_MINUTE);
      samples.push(await resourcesOf(server.client, { pid: server.pid, directory: directory.path }));
    }
    const { latenciesMs, errors, messages } = load.take();
    const measured: Minute = {
      minute,
      rate: latenciesMs.length / 60,
      // Memory that is to be collected is no leak.
      ...ofEachFigure(samples, (values) => Math.min(...values)),
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
      p999Ms: percentile(latenciesMs, 0.999),
      errors,
    };
    minutes.push(measured);
    console.log(rowOf(measured));
    for (const message of messages) console.log(`        ${message}`);
  }
  end.abort();
  await running;
  const { isGood, lines } = judge(minutes);
  console.log(`\n${lines.join('\n')}\n\n${isGood ? 'good' : 'NOT GOOD'}`);
  await server.stop();
  if (!isGood) process.exitCode = 1;
});

function rowOf({ minute, rate, residentMb, heapMb, externalMb, descriptors, diskMb, p50Ms, p99Ms, p999Ms, errors }: Minute): string {
  const cells: readonly (readonly [value: string, width: number])[] = [
    [String(minute), 6],
    [rate.toFixed(0), 8],
    [residentMb.toFixed(0), 10],
    [heapMb.toFixed(1), 6],
    [externalMb.toFixed(1), 10],
    [String(descriptors), 13],
    [diskMb.toFixed(0), 9],
    [p50Ms.toFixed(1), 8],
    [p99Ms.toFixed(1), 8],
    [p999Ms.toFixed(1), 10],
    [String(errors), 8],
  ];
  return cells.map(([value, width]) => value.padStart(width)).join('');
}
