// SPDX-License-Identifier: Apache-2.0
/** The clients that write to one collection of a cluster, what is done to its shards meanwhile, and what has to hold of it at the end. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import type { JsonClient } from '@sextant/foundation-testing';
import { until } from '../until.ts';
import { type CollectionApi, scrollAll, vectorApi } from '../vector-api.ts';
import { ClusterClient, COUNTER, type CollectionAtNode } from './cluster-client.ts';
import { type ClusterNodes, NODES, serverAt } from './cluster-nodes.ts';
import { RegisterClient, RegisterHistory } from './register-client.ts';
import { changeKey, divideShards, KEY, moveShard, onTheirWay } from './shard-changes.ts';

export type LoadSize = {
  readonly clients: number;
  /** Of the clients that share points. */
  readonly registerClients: number;
  /** Between two steps of a client at most; without it the clients of a short run take all processors for as long as a node takes to start. */
  readonly pauseMs: number;
  /** Shards are divided of collections that have no more than so many. */
  readonly dividedMax: number;
  /** Each copy of a new shard is taken in by a process of its own, which a short run has few of. */
  readonly isDividedByKeys: boolean;
};

/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE_MS = 90_000;

/** How a collection is held. */
export type Held = {
  readonly shard_number: number;
  readonly replication_factor?: number;
  /** All points are under one key, and another one comes and goes. */
  readonly sharding_method?: 'custom';
};

export class CollectionLoad {
  readonly collection: string;
  readonly #cluster: ClusterNodes;
  readonly #held: Held;
  readonly #size: LoadSize;
  readonly #clients: readonly ClusterClient[];
  readonly #registerClients: readonly RegisterClient[];
  readonly #history = new RegisterHistory();
  readonly #randoms: readonly Random[];
  #moves = 0;
  #divisions = 0;

  constructor(
    cluster: ClusterNodes,
    { collection, held, seed, size }: { readonly collection: string; readonly held: Held; readonly seed: number; readonly size: LoadSize },
  ) {
    this.collection = collection;
    this.#cluster = cluster;
    this.#held = held;
    this.#size = size;
    const nodeAt = (node: number): CollectionAtNode => ({ collection, client: this.#clientOf(node) });
    this.#clients = Array.from({ length: size.clients }, (_, number) => new ClusterClient(number, seededRandom(seed + number), nodeAt));
    this.#registerClients = Array.from({ length: size.registerClients }, (_, number) => {
      const random = seededRandom(seed + size.clients + number);
      return new RegisterClient({ history: this.#history, random, nodeAt, nowMs: systemClock.monotonicMs, isKeyed: this.#isKeyed });
    });
    this.#randoms = [...this.#clients, ...this.#registerClients].map((_, number) => seededRandom(seed + 100 + number));
  }

  get #isKeyed(): boolean {
    return this.#held.sharding_method === 'custom';
  }

  get #isSharded(): boolean {
    return this.#held.replication_factor !== undefined;
  }

  get #isDivided(): boolean {
    return this.#isSharded && (this.#size.isDividedByKeys || !this.#isKeyed);
  }

  async create(): Promise<void> {
    await this.#api(0).create({ vectors: { size: 2, distance: 'Euclid' }, ...this.#held });
    if (this.#isKeyed) await changeKey(serverAt(this.#cluster, 0).client, this.collection, { key: KEY, isMade: true });
    await this.#api(0).upsert([{ id: COUNTER, vector: [0, 0], payload: { value: 0 } }]);
    for (const node of NODES.keys())
      await until('every node has the collection', PATIENCE_MS, async () => ((await this.#api(node).exists()) ? true : undefined));
  }

  /** Every client takes its steps until it is over. */
  async work(isOver: () => boolean): Promise<void> {
    const { pauseMs } = this.#size;
    await Promise.all(
      [...this.#clients, ...this.#registerClients].map(async (client, number) => {
        while (!isOver()) {
          await client.step(NODES.length);
          if (pauseMs > 0) await sleep(this.#randoms[number]?.integer(pauseMs));
        }
      }),
    );
  }

  /** Begins changes of the shards, which what goes wrong next meets on their way. */
  async changeShards(random: Random, fault: number): Promise<void> {
    if (this.#isSharded) this.#moves += await moveShard(this.#cluster, this.collection, random);
    if (this.#isDivided) {
      const { dividedMax } = this.#size;
      this.#divisions += await divideShards(this.#cluster, this.collection, { random, dividedMax, key: this.#isKeyed ? KEY : undefined });
    }
    if (!this.#isKeyed) return;
    // Nothing is written under it; a node that is away makes none.
    const { client } = serverAt(this.#cluster, random.integer(NODES.length));
    await changeKey(client, this.collection, { key: 'other', isMade: fault % 2 === 0 }).catch(() => undefined);
  }

  async check(): Promise<void> {
    for (const node of NODES.keys())
      await until('no shard is on its way', PATIENCE_MS, async () =>
        (await onTheirWay(this.#cluster, this.collection, node)).length === 0 ? true : undefined,
      );
    const views = [];
    for (const node of NODES.keys()) {
      await until('the node has the whole log', PATIENCE_MS, async () => ((await behind(this.#cluster, node)) === 0 ? true : undefined));
      views.push(await everything(this.#api(node)));
    }
    for (const [node, view] of views.entries()) {
      deepStrictEqual(view, views[0], `${NODES[node]} and ${NODES[0]}`);
      for (const client of this.#clients) client.checkAll(view.values, `on ${NODES[node]} at the end`);
    }
    deepStrictEqual(
      this.#clients.flatMap(({ violations }) => violations),
      [],
    );
    const history = this.#history;
    for (const node of NODES.keys()) for (const register of history.all) await this.#registerClients[0]?.read(node, register);
    deepStrictEqual([...history.violations, ...this.#registerClients.flatMap(({ violations }) => violations)], []);
    // Otherwise the test has shown less than it says.
    if (this.#isSharded) ok(this.#moves > 0, 'a shard has moved');
    if (this.#isDivided) ok(this.#divisions > 0, 'shards were divided');
    ok(history.answeredReads > NODES.length * history.all.length, 'clients have read');
    strictEqual(history.withStaleReads().violations.length, history.all.length, 'stale reads that are found');
    for (const { acknowledged } of this.#clients) ok(acknowledged > 0, 'each client has written');
    const counter = views[0]?.values.get(COUNTER) ?? 0;
    const counted = this.#clients.reduce((sum, client) => sum + client.counted, 0);
    ok(counter > 0 && counter <= counted, `${counter} of ${counted} attempts have counted`);
  }

  #api(node: number): CollectionApi {
    return vectorApi(this.#clientOf(node)).collection(this.collection);
  }

  #clientOf(node: number): JsonClient {
    const { client } = serverAt(this.#cluster, node);
    return this.#isKeyed ? underKey(client, this.collection) : client;
  }
}

/** Every request about points names the key. */
function underKey(client: JsonClient, collection: string): JsonClient {
  return {
    ...client,
    request: (method, path, body, options) => {
      const isAboutPoints = path.startsWith(`/collections/${collection}/points`) && typeof body === 'object';
      return client.request(method, path, isAboutPoints ? { ...body, shard_key: KEY } : body, options);
    },
  };
}

/** How many positions of the log a node still has to apply. */
async function behind(cluster: ClusterNodes, node: number): Promise<number> {
  type Status = { readonly raft_info: { readonly commit: number; readonly pending_operations: number } };
  const statuses = await Promise.all(cluster.servers.map(({ client }) => vectorApi(client).call<Status>('GET', '/cluster')));
  const newest = Math.max(...statuses.map(({ raft_info: { commit } }) => commit));
  const own = statuses[node]?.raft_info;
  return own === undefined ? newest : newest - own.commit + own.pending_operations;
}

/** Points with vectors, and with the versions and scores that a search gives. */
async function everything(api: CollectionApi) {
  const points = await scrollAll(api);
  const hits = await api.search({ vector: [1, 1], limit: points.length + 1, params: { exact: true } });
  const found = hits.map(({ id, score, version }) => `${score} ${id} ${version}`).toSorted();
  return { points, found, values: new Map(points.map(({ id, payload }) => [Number(id), Number(payload?.value)])) };
}
