// SPDX-License-Identifier: Apache-2.0
/**
 * A log in a stream of NATS JetStream: positions are the stream's sequence numbers, ids its message ids, members a bucket of keys. Entries are read one by one
 * by their positions, so a reader keeps no state in the server; who waits for them is woken by a message that follows each append, and asks by itself where
 * that was lost.
 */
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Clock } from '@sextant/foundation-std';
import { type NatsPlace, natsPlaceOf } from './nats-place.ts';
import {
  type Announcement,
  type LogDescription,
  type LogEntry,
  LogTruncatedError,
  type Member,
  type OperationLog,
} from './operation-log.ts';
import { Wakes } from './wakes.ts';

/** What a message takes beside its payload. */
const HEADER_BYTES = 4096;
const ENTRIES_READ_MAX = 16;
const TIMEOUT_MS = 5000;
const RECONNECT_PAUSE_MS = 250;
/** As long as an append is known by its id; nobody tries again for so long. */
const DUPLICATE_WINDOW_MS = 600_000;
/** Opens the stream, and makes it the first time. */
export async function openNatsLog({ url, clock }: { readonly url: string; readonly clock: Clock }): Promise<OperationLog> {
  const place = natsPlaceOf(url);
  if (place === undefined) throw new Error('the URL contains no stream; expected nats://user:password@host:4222/stream?replicas=3');
  const { servers, user, pass } = place;
  const connection = await connect({
    servers: [...servers],
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    name: 'sextant-log',
    timeout: TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_PAUSE_MS,
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
    await makeStream(manager, place);
    const members = await new Kvm(jetstream(connection, { timeout: TIMEOUT_MS })).create(bucketOf(place.stream), {
      replicas: place.replicas,
    });
    return new NatsLog(connection, manager, members, place.stream, clock);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function makeStream(manager: JetStreamManager, { stream, replicas }: NatsPlace): Promise<void> {
  try {
    await manager.streams.add({
      name: stream,
      subjects: [subjectOf(stream)],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      num_replicas: replicas,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      allow_direct: true,
    });
  } catch (error) {
    // One that is there already is left as its operator has it.
    if (!(await exists(manager, stream))) throw error;
  }
}

async function exists(manager: JetStreamManager, stream: string): Promise<boolean> {
  try {
    await manager.streams.info(stream);
    return true;
  } catch {
    return false;
  }
}

/** Of the members. */
function bucketOf(stream: string): string {
  return `${stream}-members`;
}

function subjectOf(stream: string): string {
  return `sextant.${stream}.entries`;
}

class NatsLog implements OperationLog {
  readonly entryBytesMax: number;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #members: KV;
  readonly #bucket: string;
  readonly #stream: string;
  readonly #wakes: Wakes;
  readonly #wakeSubject: string;
  #closed = false;

  constructor(connection: NatsConnection, manager: JetStreamManager, members: KV, stream: string, clock: Clock) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: TIMEOUT_MS });
    this.#members = members;
    this.#bucket = bucketOf(stream);
    this.#stream = stream;
    this.#wakes = new Wakes(clock);
    this.#wakeSubject = `sextant.${stream}.wake`;
    this.entryBytesMax = (connection.info?.max_payload ?? 0) - HEADER_BYTES;
    connection.subscribe(this.#wakeSubject, { callback: () => this.#wakes.all() });
  }

  async describe(): Promise<LogDescription> {
    const { state, created } = await this.#manager.streams.info(this.#stream);
    // A stream that never had an entry says 0.
    const first = Math.max(state.first_seq, 1);
    return { id: `${this.#stream} ${created}`, first: state.messages === 0 ? state.last_seq + 1 : first, last: state.last_seq };
  }

  async append({ id, entry }: { readonly id: string; readonly entry: Uint8Array }): Promise<number> {
    const { seq } = await this.#client.publish(subjectOf(this.#stream), entry, { msgID: id, timeout: TIMEOUT_MS });
    this.#connection.publish(this.#wakeSubject);
    return seq;
  }

  async read({ after, waitMs }: { readonly after: number; readonly waitMs: number }): Promise<readonly LogEntry[]> {
    // From here on nothing that is appended goes unnoticed.
    const woken = this.#wakes.next(waitMs);
    const found = await this.#entries(after);
    if (found.length > 0 || waitMs <= 0 || this.#closed) return found;
    await woken;
    return this.#closed ? [] : this.#entries(after);
  }

  async truncate({ below }: { readonly below: number }): Promise<void> {
    const { last } = await this.describe();
    await this.#manager.streams.purge(this.#stream, { seq: Math.min(below, last + 1) });
  }

  async announce({ node, address, applied, isFull }: Announcement): Promise<void> {
    await this.#members.put(node, JSON.stringify({ address, applied, isFull }));
  }

  /** How long a member is silent goes by the server's clock: since its announcement until the newest one of any. */
  async members(): Promise<readonly Member[]> {
    // The bucket's own list of keys is read by a consumer that the server keeps for minutes, and of these it allows a thousand.
    const keys = `$KV.${this.#bucket}.`;
    const { state } = await this.#manager.streams.info(`KV_${this.#bucket}`, { subjects_filter: `${keys}>` });
    const nodes = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(keys.length));
    const entries = (await Promise.all(nodes.map((node) => this.#members.get(node)))).flatMap((entry) =>
      entry === null || entry.operation !== 'PUT' ? [] : [entry],
    );
    const newestMs = Math.max(...entries.map(({ created }) => created.getTime()));
    const members = entries.map((entry) => {
      // As `announce` wrote it; earlier releases did not say whether they are full.
      const { address, applied, isFull = false } = entry.json<Omit<Announcement, 'node' | 'isFull'> & Partial<Announcement>>();
      return { node: entry.key, address, applied, isFull, silentMs: newestMs - entry.created.getTime() };
    });
    return members.toSorted((left, right) => (left.node < right.node ? -1 : 1));
  }

  async forget(node: string): Promise<boolean> {
    const entry = await this.#members.get(node);
    if (entry === null || entry.operation !== 'PUT') return false;
    await this.#members.purge(node);
    return true;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakes.all();
    await this.#connection.close();
  }

  /** A replica that answers may lack the newest entries; what is read ends before the first that it lacks. */
  async #entries(after: number): Promise<readonly LogEntry[]> {
    const { first, last } = await this.describe();
    if (after + 1 < first) throw new LogTruncatedError({ after, first });
    const count = Math.min(ENTRIES_READ_MAX, last - after);
    const asked = Array.from({ length: Math.max(0, count) }, (_, at) => after + 1 + at);
    const messages = await Promise.all(asked.map((seq) => this.#manager.direct.getMessage(this.#stream, { seq })));
    const entries: LogEntry[] = [];
    for (const message of messages) {
      if (message === null || message.seq !== after + entries.length + 1) break;
      entries.push({ position: message.seq, entry: message.data });
    }
    return entries;
  }
}
