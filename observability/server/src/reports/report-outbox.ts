/**
 * Writes reports of scans to the store that the tenant has configured. They wait in the metadata from the transaction on that finished their scan; each
 * is tried with growing pauses and given up after a day. Where it goes is looked up at each attempt, so that a repaired configuration repairs what
 * waits; without one, or while it is disabled, nothing is written. A report has one name for ever: written twice it is still there once.
 */
import type { Clock } from '@sextant/foundation-std';
import { type Metadata, MetadataMissing } from '@sextant/observability-metadata';
import { Loop } from '../jobs/loop.ts';
import type { SourceAccess } from '../sources/source-access.ts';
import { sourceFailure } from '../sources/source-failure.ts';
import { reportFile, reportKey } from './report-file.ts';

export type ReportOutboxOptions = {
  readonly metadata: Metadata;
  readonly sources: Pick<SourceAccess, 'writeObject'>;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
};

type Report = Awaited<ReturnType<Metadata['platform']['reports']['claimDue']>>[number];

const PAUSE_MS = 1000;
const BATCH = 8;
/** Longer than a write can take. */
const LEASE_MS = 120_000;
/** 5 s, 10 s, 20 s … at most an hour: 30 attempts take about a day. */
const FIRST_PAUSE_MS = 5000;
const PAUSE_MS_MAX = 3_600_000;
const ATTEMPTS_MAX = 30;

export class ReportOutbox {
  readonly #options: ReportOutboxOptions;
  readonly #loop: Loop;
  readonly #stopping = new AbortController();

  constructor(options: ReportOutboxOptions) {
    this.#options = options;
    const onError = (error: unknown) => options.log.error({ err: error }, 'scan reports could not be written');
    this.#loop = new Loop({ turn: () => this.turn(), pauseMs: PAUSE_MS, onError });
  }

  start(): void {
    this.#loop.wake();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#loop.stop();
  }

  /** Writes what is due now; true when there may be more. */
  async turn(): Promise<boolean> {
    const due = await this.#options.metadata.platform.reports.claimDue({ limit: BATCH, leaseMs: LEASE_MS });
    await Promise.all(due.map((report) => this.#deliver(report)));
    return due.length === BATCH;
  }

  async #deliver(report: Report): Promise<void> {
    const { metadata, clock } = this.#options;
    const { scanReports, backgroundErrors } = metadata.forTenant(report.tenant_id);
    const problem = await this.#write(report);
    if (problem === undefined) return scanReports.remove(report.job_id);
    if (report.attempts < ATTEMPTS_MAX) {
      const pauseMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (report.attempts - 1));
      const next = new Date(clock.nowMs() + pauseMs).toISOString();
      return scanReports.retry(report.job_id, { next_attempt_at: next, error: problem });
    }
    await scanReports.remove(report.job_id);
    const message = `The report of job ${report.job_id} was given up after ${report.attempts} attempts: ${problem}`;
    return backgroundErrors.append({ error_class: 'DQ_REPORTING', message, exception_type: 'ReportWriteError', stack_trace: '' });
  }

  /** What went wrong, if anything. */
  async #write(report: Report): Promise<string | undefined> {
    const { metadata, sources, log } = this.#options;
    const tenant = metadata.forTenant(report.tenant_id);
    try {
      const config = await tenant.dqReportingConfig.find();
      if (config?.enabled !== true) return undefined;
      const connection = await tenant.connections.get(config.connection_id);
      await sources.writeObject(tenant, connection, {
        key: reportKey(config.path, report),
        bytes: reportFile(report),
        signal: this.#stopping.signal,
      });
      return undefined;
    } catch (error) {
      log.error({ tenant: report.tenant_id, job: report.job_id, err: error }, 'a scan report could not be written');
      return error instanceof MetadataMissing ? error.message : sourceFailure(error);
    }
  }
}
