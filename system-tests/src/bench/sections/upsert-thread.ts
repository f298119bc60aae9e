/** A client that upserts batches one after the other until it is told to stop, and then says how many a second were acknowledged. */
import { parentPort, workerData } from 'node:worker_threads';
import { UPSERT_PATH } from '../service.ts';
import { httpLoad } from '../way-in/http-load.ts';

export type UpsertThreadData = {
  readonly port: number;
  /** Encoded ahead. */
  readonly bodies: readonly Uint8Array[];
};

// What `startUpserts` gives it; buffers arrive as plain arrays of bytes.
const { port, bodies }: UpsertThreadData = workerData;
const target = { method: 'PUT', port, path: UPSERT_PATH, headers: {} };
const buffers = bodies.map((body) => Buffer.from(body));
let stopping = false;
parentPort?.once('message', () => {
  stopping = true;
});
const startedMs = performance.now();
let batches = 0;
while (!stopping) {
  await httpLoad(target, buffers, { count: buffers.length, connections: 1 });
  batches += buffers.length;
}
parentPort?.postMessage((batches * 1000) / (performance.now() - startedMs));
