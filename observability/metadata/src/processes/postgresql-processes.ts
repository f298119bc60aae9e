// SPDX-License-Identifier: Apache-2.0
/**
 * The processes of one PostgreSQL, each with one session of its own. Its advisory locks say who is there (shared, for as long as it lives) and who
 * leads (exclusive); PostgreSQL lets go of them when the session ends, so that a killed process leaves nothing behind. A session that says nothing
 * for three turns is ended by the server: its process stands still, or its machine is gone. A process that stood still for so long knows at once that
 * it leads no longer, before it hears of the end of its session.
 *
 * None of this decides who owns a job or a delivery: leases in the tables do, and hold where this session breaks.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@sextant/foundation-std';
import { Client } from 'pg';
import type { Notice, ProcessGroup } from './process-group.ts';

export type ProcessesOptions = {
  readonly databaseUrl: string;
  readonly clock: Clock;
  /**
   * Called while no other process can come, before this one counts as there; again after its session broke. Throws where it cannot work beside the others.
   *
   * @param isFirst no other process is there
   */
  readonly onJoin: (isFirst: boolean) => Promise<void>;
  readonly onNotice: (notice: Notice) => void;
  /** After which the server ends a session that said nothing, and its process no longer leads; three turns by default. */
  readonly silenceMsMax?: number;
  readonly log: { readonly [level in 'info' | 'warn']: (details: object, message: string) => void };
};

const CONNECT_TIMEOUT_MS = 10_000;
/** Three turns. */
const SILENCE_MS_MAX = 15_000;
/** A third of the shortest lease. */
const CLOCK_DIFFERENCE_MS_MAX = 10_000;
const CHANNEL = 'sextant_observability';

type Lock = 'joining' | 'members' | 'leader';

/** @throws what `onJoin` throws, or why the database cannot be reached */
export async function joinProcesses(options: ProcessesOptions): Promise<ProcessGroup> {
  const processes = new PostgresqlProcesses(options);
  await processes.open();
  return processes;
}

class PostgresqlProcesses implements ProcessGroup {
  readonly #options: ProcessesOptions;
  readonly #id = randomUUID();
  readonly #underWay = new Set<Notice>();
  readonly #again = new Set<Notice>();
  #client: Client | undefined;
  #leads = false;
  /** Monotonic; the server counts its silence from a moment that is not before. */
  #heardMs = Number.NEGATIVE_INFINITY;
  #isClockRight = true;

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#client = await this.#join();
    await this.turn();
  }

  leads(): boolean {
    return this.#leads && this.#options.clock.monotonicMs() - this.#heardMs < this.#silenceMsMax;
  }

  get #silenceMsMax(): number {
    return this.#options.silenceMsMax ?? SILENCE_MS_MAX;
  }

  isClockRight(): boolean {
    return this.#isClockRight;
  }

  announce(notice: Notice): void {
    const client = this.#client;
    if (client === undefined) return;
    if (this.#underWay.has(notice)) {
      this.#again.add(notice);
      return;
    }
    this.#underWay.add(notice);
    client
      .query('select pg_notify($1, $2)', [CHANNEL, `${notice} ${this.#id}`])
      .catch(() => undefined)
      .finally(() => {
        this.#underWay.delete(notice);
        if (this.#again.delete(notice)) this.announce(notice);
      });
  }

  async turn(): Promise<void> {
    try {
      this.#client ??= await this.#join();
      await this.#confirm(this.#client);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the other processes of the database cannot be seen');
      await this.#drop();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#drop();
  }

  async #confirm(client: Client): Promise<void> {
    const { clock, log } = this.#options;
    const begunMs = clock.nowMs();
    const askedMs = clock.monotonicMs();
    const { rows } = await client.query<{ id: string | null; now_ms: number }>(
      "select current_setting('sextant.process', true) as id, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms",
    );
    const [row] = rows;
    if (row?.id !== this.#id) {
      throw new Error(
        'its sessions change between statements: DATABASE_URL must point to PostgreSQL itself, or to a pooler in session mode',
      );
    }
    this.#heardMs = askedMs;
    this.#compareClocks(row.now_ms, { begunMs, endedMs: clock.nowMs() });
    if (this.#leads || !(await isGranted(client, 'leader'))) return;
    this.#leads = true;
    log.info({}, 'this process is the leader: it starts scheduled scans, reads tickets and removes old data');
  }

  /** The reading of the database's clock lies between two of ours. */
  #compareClocks(databaseMs: number, { begunMs, endedMs }: { readonly begunMs: number; readonly endedMs: number }): void {
    const { log } = this.#options;
    const differenceMs = Math.max(begunMs - databaseMs, databaseMs - endedMs, 0);
    const isRight = differenceMs <= CLOCK_DIFFERENCE_MS_MAX;
    if (isRight === this.#isClockRight) return;
    this.#isClockRight = isRight;
    if (isRight) log.info({}, 'the clock agrees with that of the database again');
    else log.warn({ differenceMs }, 'the clock differs from that of the database: no scan starts and nothing is sent until they agree');
  }

  async #join(): Promise<Client> {
    const { databaseUrl, onJoin, onNotice } = this.#options;
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'sextant-observability process',
    });
    // The next turn finds out; without a listener it would end the process.
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.#client === client) this.#leads = false;
    });
    client.on('notification', ({ payload = '' }) => {
      const [notice, sender] = payload.split(' ');
      if (sender !== this.#id && (notice === 'jobs' || notice === 'deliveries')) onNotice(notice);
    });
    try {
      await client.connect();
      await client.query("select set_config('sextant.process', $1, false)", [this.#id]);
      // PostgreSQL has it from version 14 on.
      await client.query("select set_config(name, $1, false) from pg_settings where name = 'idle_session_timeout'", [
        `${this.#silenceMsMax}`,
      ]);
      await lockCall(client, 'pg_advisory_lock', 'joining');
      const isFirst = await isGranted(client, 'members');
      await onJoin(isFirst);
      await lockCall(client, 'pg_advisory_lock_shared', 'members');
      if (isFirst) await lockCall(client, 'pg_advisory_unlock', 'members');
      await lockCall(client, 'pg_advisory_unlock', 'joining');
      await client.query(`listen ${CHANNEL}`);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#leads = false;
    await client?.end().catch(() => undefined);
  }
}

async function isGranted(client: Client, lock: Lock): Promise<boolean> {
  return (await lockCall(client, 'pg_try_advisory_lock', lock)) === true;
}

async function lockCall(
  client: Client,
  call: 'pg_advisory_lock' | 'pg_advisory_lock_shared' | 'pg_advisory_unlock' | 'pg_try_advisory_lock',
  lock: Lock,
): Promise<unknown> {
  const { rows } = await client.query<{ answer: unknown }>(`select ${call}(hashtextextended($1, 0)) as answer`, [`sextant ${lock}`]);
  return rows[0]?.answer;
}
