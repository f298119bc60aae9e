/** One statement that a tenant wrote, which ends at its limits while the scan around it goes on. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '@sextant/foundation-std';
import { type Row, ScanError, type TenantLimits } from '../engine.ts';
import { readRows } from './database.ts';
import { tenantSelect } from './tenant-select.ts';

/** DuckDB looks for interrupts between its chunks of work. What has not seen one by then never will. */
const GRACE_MS = 5000;

export class TenantStatement {
  readonly #connection: DuckDBConnection;
  readonly #clock: Clock;
  readonly #onStuck: (reason: string) => void;
  readonly #timers = new DisposableStack();
  #reason: string | undefined;

  constructor(connection: DuckDBConnection, options: { readonly clock: Clock; readonly onStuck: (reason: string) => void }) {
    this.#connection = connection;
    this.#clock = options.clock;
    this.#onStuck = options.onStuck;
  }

  async run(sql: string, { rows, timeoutMs }: TenantLimits): Promise<readonly Row[]> {
    using timers = this.#timers;
    const select = await tenantSelect(this.#connection, sql, rows);
    const timer = this.#clock.after(timeoutMs, () => this.stop(`The SQL took longer than its limit of ${timeoutMs / 1000} s`));
    timers.defer(() => timer.cancel());
    try {
      return await readRows(this.#connection, select);
    } catch (error) {
      throw this.#reason === undefined ? error : new ScanError(this.#reason);
    }
  }

  /** Interrupts it; the first reason is the one that its author reads. */
  stop(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#connection.interrupt();
    const timer = this.#clock.after(GRACE_MS, () => this.#onStuck(`${reason} and could not be stopped`));
    this.#timers.defer(() => timer.cancel());
  }
}
