// SPDX-License-Identifier: Apache-2.0
/** Sends every method of the protocol messages of every kind, and collects how each call ended. */
import { type DescMessage, type Message, toBinary } from '@bufbuild/protobuf';
import { services } from '@sextant/contracts-protocol';
import { seededRandom } from '@sextant/foundation-std';
import type { ChildServer } from '@sextant/foundation-testing';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { type Example, everyValue, oneValueByTurns, randomMessage, validMessage, variations } from './example-messages.ts';
import { COLLECTION, DIMENSION, SPARE, VECTOR } from './example-values.ts';
import { type Outcome, type RawCalls, rawCalls } from './grpc-calls.ts';

export type WalkOptions = {
  /** How many messages with several choices at a time each method is sent. */
  readonly randomMessages: number;
  readonly seed: number;
  /**
   * Whether the fields of a message are walked wherever its type is met, with every odd value; where it is met first, with one of them by turns; or in requests
   * to methods that answer `UNIMPLEMENTED` alone, which need no points: what is served without a capability is served in the same way with it.
   */
  readonly depth: 'everywhere' | 'once' | 'refused requests';
};

export type CallReport = Outcome & { readonly method: string; readonly at: string };

export type WalkReport = {
  readonly sent: number;
  /** How often each method ended with each code. */
  readonly codes: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** What no message may be answered with. */
  readonly faults: readonly CallReport[];
};

export const UNKNOWN = 2;
export const UNIMPLEMENTED = 12;
export const INTERNAL = 13;
/** The server is gone, or does not answer. */
const LOST = new Set([4, 14]);

const IN_FLIGHT = 16;

export async function walkCalls(server: ChildServer, options: WalkOptions): Promise<WalkReport> {
  using calls = rawCalls(grpcAddressOf(server).replace('http://', ''));
  const codes = new Map<string, Map<number, number>>();
  const faults: CallReport[] = [];
  let sent = 0;
  const walked = new Set<DescMessage>();
  const choose = options.depth === 'everywhere' ? everyValue : oneValueByTurns();
  await prepare(server, '');
  let isChanged = false;
  for (const service of services) {
    for (const { name, input } of service.methods) {
      const method = `${service.typeName}/${name}`;
      const counted = new Map<number, number>();
      if (options.depth !== 'refused requests' && (isChanged || TARGETS[method] === SPARE)) await prepare(server, method);
      isChanged = !READS.test(name);
      const first = await calls.send(method, bytesOf(method, input, validMessage(input)));
      counted.set(first.code, 1);
      const isServed = first.code !== UNIMPLEMENTED;
      if (isServed && options.depth === 'refused requests') continue;
      codes.set(method, counted);
      const expands = (desc: DescMessage) => isServed && expandsIn(options, walked, desc);
      const examples = variations(input, expands, choose);
      for await (const report of answers(
        calls,
        method,
        messages(method, input, examples, options),
        createsToDelete(method, options) ? 1 : IN_FLIGHT,
      )) {
        sent += 1;
        counted.set(report.code, (counted.get(report.code) ?? 0) + 1);
        if (report.code === UNKNOWN || report.code === INTERNAL || LOST.has(report.code)) faults.push(report);
        if (createsToDelete(method, options) && report.code === 0) await removeCreated(server);
      }
    }
  }
  return { sent, codes, faults };
}

function expandsIn({ depth }: WalkOptions, walked: Set<DescMessage>, desc: DescMessage): boolean {
  if (depth !== 'once') return depth === 'everywhere';
  const isFirst = !walked.has(desc);
  walked.add(desc);
  return isFirst;
}

type Sent = { readonly at: string; readonly bytes: Uint8Array };

function* messages(
  method: string,
  input: DescMessage,
  examples: Iterable<Example>,
  { randomMessages, seed }: WalkOptions,
): Generator<Sent> {
  // Without a field that the valid message lacks, a message is the valid one.
  const seen = new Set<string>();
  for (const { at, message } of examples) {
    const bytes = bytesOf(method, input, message);
    const text = Buffer.from(bytes).toString('latin1');
    if (!seen.has(text)) yield { at, bytes };
    seen.add(text);
  }
  const random = seededRandom(seed);
  for (let number = 0; number < randomMessages; number += 1) {
    yield { at: `random message ${number} of seed ${seed}`, bytes: bytesOf(method, input, randomMessage(input, random)) };
  }
  // A length that goes beyond the end, a field of a wire type that does not exist, and no text.
  for (const bytes of [[0x0a, 0x7f], [0x0f], [0x0a, 0x01, 0xff]]) yield { at: `bytes ${bytes.join(' ')}`, bytes: Uint8Array.from(bytes) };
}

/** Where every collection is deleted again, all of them are created; else the first one stands in the way of the others, which are quicker so. */
function createsToDelete(method: string, { depth }: WalkOptions): boolean {
  return depth === 'everywhere' && method === 'qdrant.Collections/Create';
}

async function* answers(calls: RawCalls, method: string, each: Iterable<Sent>, size: number): AsyncGenerator<CallReport> {
  const send = async ({ at, bytes }: Sent) => ({ method, at, ...(await calls.send(method, bytes)) });
  let inFlight: Promise<CallReport>[] = [];
  for (const one of each) {
    inFlight.push(send(one));
    if (inFlight.length < size) continue;
    yield* await Promise.all(inFlight);
    inFlight = [];
  }
  yield* await Promise.all(inFlight);
}

/** Methods that change nothing: what is there for them is there for the next one. */
const READS = /^(?:Search|Query|Recommend|Discover|Scroll|Count|Facet|Get|List|HealthCheck|CollectionExists|CollectionClusterInfo)/;

/** Methods that change the configuration of a collection, and the collection that they are given. */
const TARGETS: { readonly [method: string]: string } = {
  'qdrant.Collections/Create': 'created',
  'qdrant.Collections/Update': SPARE,
  'qdrant.Collections/Delete': SPARE,
  'qdrant.Points/CreateVectorName': SPARE,
  'qdrant.Points/DeleteVectorName': SPARE,
};

/** To the collection that the method is given, where it changes a configuration. */
export function bytesOf(method: string, desc: DescMessage, message: Message): Uint8Array {
  const target = TARGETS[method];
  const named = message as Message & { collectionName?: string };
  if (target !== undefined && named.collectionName === COLLECTION) named.collectionName = target;
  return toBinary(desc, message);
}

/** The collections as every method finds them. */
export async function prepare({ client }: ChildServer, method: string): Promise<void> {
  const api = vectorApi(client);
  const fuzz = api.collection(COLLECTION);
  if (!(await fuzz.exists())) {
    const dense = { size: DIMENSION, distance: 'Cosine' } as const;
    const tokens = { ...dense, multivector_config: { comparator: 'max_sim' } } as const;
    await fuzz.create({ vectors: { '': dense, other: dense, tokens }, sparse_vectors: { words: {} } });
    await fuzz.createIndex('n', 'integer');
  }
  // An alias that was made may have led a call that removes a vector here.
  await fuzz.addVector('other', { dense: { size: DIMENSION, distance: 'Cosine' } });
  await fuzz.upsert(
    Array.from({ length: 20 }, (_, id) => ({
      id,
      vector: { '': VECTOR, other: [id + 1, 1, 1, 1], tokens: [VECTOR, VECTOR], words: { indices: [3, id + 10], values: [1, 0.5] } },
      payload: { n: id % 5, red: 'red', place: { lon: id, lat: 1 }, at: '2024-01-02T03:04:05Z', list: [{ n: id }] },
    })),
  );
  if (TARGETS[method] !== SPARE) return;
  const spare = api.collection(SPARE);
  await spare.remove();
  await spare.create({ vectors: { size: DIMENSION, distance: 'Cosine' } });
  if (method === 'qdrant.Points/DeleteVectorName') await spare.addVector('other', { dense: { size: DIMENSION, distance: 'Cosine' } });
}

async function removeCreated({ client }: ChildServer): Promise<void> {
  const api = vectorApi(client);
  const { collections } = await api.collections();
  for (const { name } of collections) if (name !== COLLECTION && name !== SPARE) await api.collection(name).remove();
}
