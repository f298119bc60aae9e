// SPDX-License-Identifier: Apache-2.0
/** One statement that a tenant wrote, or that computes what a tenant wrote: it ends at its limits while the scan around it goes on. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '@sextant/foundation-std';
import { type Row, ScanError, type StatementLimit } from '../engine.ts';
import { readRows } from './database.ts';

/** DuckDB looks for interrupts between its chunks of work. What has not seen one by then never will. */
const GRACE_MS = 5000;

export class LimitedStatement {
  readonly #connection: DuckDBConnection;
  readonly #clock: Clock;
  readonly #limit: StatementLimit;
  readonly #onStuck: (reason: string) => void;
  readonly #timers = new DisposableStack();
  #reason: string | undefined;

  constructor(
    connection: DuckDBConnection,
    options: { readonly limit: StatementLimit; readonly clock: Clock; readonly onStuck: (reason: string) => void },
  ) {
    this.#connection = connection;
    this.#clock = options.clock;
    this.#limit = options.limit;
    this.#onStuck = options.onStuck;
  }

  async run(sql: string): Promise<readonly Row[]> {
    using timers = this.#timers;
    const { timeoutMs } = this.#limit;
    const timer = this.#clock.after(timeoutMs, () => this.#stop(`took longer than its limit of ${timeoutMs / 1000} s`));
    timers.defer(() => timer.cancel());
    try {
      return await readRows(this.#connection, sql);
    } catch (error) {
      throw this.#reason === undefined ? error : new ScanError(this.#reason);
    }
  }

  stopForMemory(): void {
    this.#stop('needs more memory than its limit');
  }

  /** Interrupts it; the first reason is the one that its author reads. */
  #stop(what: string): void {
    if (this.#reason !== undefined) return;
    const reason = `${this.#limit.subject} ${what}`;
    this.#reason = reason;
    this.#connection.interrupt();
    const timer = this.#clock.after(GRACE_MS, () => this.#onStuck(`${reason} and could not be stopped`));
    this.#timers.defer(() => timer.cancel());
  }
}
