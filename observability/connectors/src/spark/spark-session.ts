// SPDX-License-Identifier: Apache-2.0
/**
 * Statements in one session of Spark. One goes on at the server when its stream breaks, and is taken up where it was
 * (https://spark.apache.org/docs/latest/spark-connect-overview.html); one that is given up is interrupted.
 */

import { status } from '@grpc/grpc-js';
import { type SparkMessage, sparkCalls } from '@sextant/contracts-protocol/spark';
import { type Clock, pause } from '@sextant/foundation-std';
import { SourceError, type SparkAccess, type SparkProgress } from '../connector.ts';
import { rowsOfBatch, type SparkRow } from './arrow-cells.ts';
import type { SparkChannel } from './connect-channel.ts';
import { uuidOf } from './run-ids.ts';
import { failureOf, type SparkFailure } from './spark-error.ts';

export type SparkSessionOptions = {
  readonly channel: SparkChannel;
  /** What the ids of the session and its statements follow from. */
  readonly run: string;
  readonly properties: { readonly [name: string]: string };
  readonly limits: SparkLimits;
  readonly clock: Clock;
  readonly onProgress?: ((progress: SparkProgress) => void) | undefined;
};

export type SparkLimits = {
  readonly statementTimeoutMs: number /** Of one answer. */;
  readonly rowsMax: number;
  readonly bytesMax: number;
};

export type SparkSession = SparkAccess & AsyncDisposable;

const CLIENT = { clientType: 'sextant' };
const USER = { userId: 'sextant', userName: 'sextant' };
const INTERRUPT_ONE = 3;
/** Broken streams of one statement, and how long the next attempt waits. */
const ATTEMPTS_MAX = 6;
const PAUSE_MS = 200;

/**
 * What scans rely on. Texts are compared by their bytes, names with their case, days by the calendar of ISO 8601; `${…}` in a value is no variable;
 * what cannot be computed is an error and no null.
 */
const SETTINGS = {
  'spark.sql.session.timeZone': 'UTC',
  'spark.sql.ansi.enabled': 'true',
  'spark.sql.caseSensitive': 'true',
  'spark.sql.variable.substitute': 'false',
  'spark.sql.parser.escapedStringLiterals': 'false',
  'spark.sql.parquet.datetimeRebaseModeInRead': 'CORRECTED',
  'spark.sql.parquet.int96RebaseModeInRead': 'CORRECTED',
  // Else a row is damaged or not by the columns that a statement reads.
  'spark.sql.csv.parser.columnPruning.enabled': 'false',
  'spark.sql.json.enablePartialResults': 'false',
};

/** Ends what an earlier run left behind in its session. */
export async function endRun(channel: SparkChannel, run: string): Promise<void> {
  await channel.call(sparkCalls.releaseSession, { sessionId: uuidOf(run), userContext: USER, ...CLIENT });
}

export async function openSession(options: SparkSessionOptions): Promise<SparkSession> {
  const session = new Session(options);
  await session.configure({ ...options.properties, ...SETTINGS });
  return session;
}

type Statement = {
  readonly sql: string;
  readonly columns: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
};

class Session implements SparkSession {
  readonly #options: SparkSessionOptions;
  readonly #of: { readonly sessionId: string; readonly userContext: typeof USER; readonly clientType: string };
  #statements = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SparkSessionOptions) {
    this.#options = options;
    this.#of = { sessionId: uuidOf(options.run), userContext: USER, ...CLIENT };
  }

  async configure(properties: { readonly [name: string]: string }): Promise<void> {
    const pairs = Object.entries(properties).map(([key, value]) => ({ key, value }));
    await this.#options.channel.call(sparkCalls.config, { ...this.#of, operation: { set: { pairs, silent: true } } });
  }

  query: SparkAccess['query'] = (sql, { signal, columns, timeoutMs = this.#options.limits.statementTimeoutMs } = {}) => {
    // One statement at a time; what the one before said is the affair of who asked it.
    const limitMs = Math.min(timeoutMs, this.#options.limits.statementTimeoutMs);
    const answer = this.#last.then(() => this.#run({ sql, columns, signal, timeoutMs: limitMs }));
    this.#last = answer.catch(() => undefined);
    return answer;
  };

  async #run({ sql, columns, signal, timeoutMs }: Statement): Promise<readonly SparkRow[]> {
    signal?.throwIfAborted();
    const { clock } = this.#options;
    this.#statements += 1;
    const operationId = uuidOf(this.#options.run, this.#statements);
    const deadline = new AbortController();
    const timer = clock.after(timeoutMs, () =>
      deadline.abort(new SourceError(`a statement took longer than its limit of ${Math.round(timeoutMs / 1000)} seconds`)),
    );
    const ended = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    const interrupt = () => void this.#interrupt(operationId);
    ended.addEventListener('abort', interrupt, { once: true });
    try {
      return await this.#rows(relationOf(sql, columns), operationId, ended);
    } catch (error) {
      // What failed because it was stopped is reported as the stop.
      ended.throwIfAborted();
      throw error;
    } finally {
      ended.removeEventListener('abort', interrupt);
      timer.cancel();
      // Best effort: the server forgets it after some minutes.
      this.#options.channel.call(sparkCalls.releaseExecute, { ...this.#of, operationId, releaseAll: {} }).catch(() => undefined);
    }
  }

  async #rows(root: ReturnType<typeof relationOf>, operationId: string, ended: AbortSignal): Promise<readonly SparkRow[]> {
    const { channel, clock } = this.#options;
    const answer = new Answer(this.#options);
    for (let attempt = 1; ; attempt += 1) {
      const stream =
        answer.lastResponseId === undefined
          ? channel.stream(sparkCalls.executePlan, {
              ...this.#of,
              operationId,
              plan: { root },
              requestOptions: [{ reattachOptions: { reattachable: true } }],
            })
          : channel.stream(sparkCalls.reattachExecute, { ...this.#of, operationId, lastResponseId: answer.lastResponseId });
      const cancel = () => stream.cancel();
      ended.addEventListener('abort', cancel, { once: true });
      try {
        ended.throwIfAborted();
        for await (const message of stream) answer.take(message);
        if (answer.isComplete) return answer.rows;
      } catch (cause) {
        ended.throwIfAborted();
        if (cause instanceof SourceError) throw cause;
        const failure = failureOf(cause, channel.place);
        if (!isBroken(failure) || attempt >= ATTEMPTS_MAX) throw failure;
        await pause(clock, PAUSE_MS * attempt);
      } finally {
        ended.removeEventListener('abort', cancel);
        stream.cancel();
      }
    }
  }

  /** Best effort: a server that is gone runs nothing. */
  async #interrupt(operationId: string): Promise<void> {
    const { channel } = this.#options;
    await channel.call(sparkCalls.interrupt, { ...this.#of, interruptType: INTERRUPT_ONE, operationId }).catch(() => undefined);
  }

  /** Ends what still runs, and forgets views and settings. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { channel } = this.#options;
    await channel.call(sparkCalls.releaseSession, this.#of).catch(() => undefined);
  }
}

function relationOf(query: string, columns: readonly string[] | undefined) {
  const input = { sql: { query } };
  if (columns === undefined) return input;
  const expressions = columns.map((unparsedIdentifier) => ({
    cast: { expr: { unresolvedAttribute: { unparsedIdentifier } }, typeStr: 'string' },
  }));
  return { project: { input, expressions } };
}

/** The connection, not the statement. */
function isBroken({ code, errorClass }: SparkFailure): boolean {
  return errorClass === undefined && (code === status.UNAVAILABLE || code === status.CANCELLED);
}

/** What has come of one statement, over however many streams. */
class Answer {
  readonly rows: SparkRow[] = [];
  lastResponseId: string | undefined;
  isComplete = false;
  #bytes = 0;
  readonly #options: Pick<SparkSessionOptions, 'limits' | 'onProgress'>;

  constructor(options: Pick<SparkSessionOptions, 'limits' | 'onProgress'>) {
    this.#options = options;
  }

  take({ responseId, arrowBatch, resultComplete, executionProgress }: SparkMessage<'ExecutePlanResponse'>): void {
    if (responseId !== undefined && responseId !== '') this.lastResponseId = responseId;
    if (resultComplete !== undefined) this.isComplete = true;
    if (executionProgress !== undefined) this.#options.onProgress?.(progressOf(executionProgress));
    if (arrowBatch?.data === undefined) return;
    const { rowsMax, bytesMax } = this.#options.limits;
    this.#bytes += arrowBatch.data.byteLength;
    if (this.#bytes > bytesMax) throw new SourceError(`a statement answers more than ${bytesMax} bytes`);
    for (const row of rowsOfBatch(arrowBatch.data)) this.rows.push(row);
    if (this.rows.length > rowsMax) throw new SourceError(`a statement answers more than ${rowsMax} rows`);
  }
}

function progressOf({ stages = [] }: SparkMessage<'ExecutionProgress'>): SparkProgress {
  const sum = (count: (stage: SparkMessage<'StageInfo'>) => bigint | undefined): number =>
    stages.reduce((total, stage) => total + Number(count(stage) ?? 0n), 0);
  return {
    stages: stages.length,
    tasks: sum(({ numTasks }) => numTasks),
    tasksDone: sum(({ numCompletedTasks }) => numCompletedTasks),
    bytesRead: sum(({ inputBytesRead }) => inputBytesRead),
  };
}
