// SPDX-License-Identifier: Apache-2.0
/** A worker thread as main sees it: its reports, its commands, and its death. */
import { basename } from 'node:path/posix';
import { type Transferable, Worker } from 'node:worker_threads';
import { compileCacheEnvironment } from '@sextant/foundation-std';
import type { VectorConfiguration } from '../configuration.ts';
import type { Ports, ThreadCommand, ThreadReport } from './messages.ts';

type ReportOf<Kind extends ThreadReport['kind']> = Extract<ThreadReport, { kind: Kind }>;

export class Thread {
  /** Rejects when the thread fails or ends unasked. */
  readonly died: Promise<never>;
  readonly #worker: Worker;
  readonly #reports: ThreadReport[] = [];
  #stopping = false;
  #notice: (() => void) | undefined;

  constructor(module: URL, workerData: object, transferList: Transferable[]) {
    const name = basename(module.pathname);
    this.#worker = new Worker(module, {
      workerData,
      transferList,
      name,
      env: { ...compileCacheEnvironment(), ...process.env },
    });
    this.#worker.on('message', (report: ThreadReport) => {
      this.#reports.push(report);
      this.#notice?.();
    });
    this.died = new Promise<never>((_resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => {
        if (!this.#stopping) reject(new Error(`${name} ended`));
      });
    });
    // Whoever starts the thread listens; before that, a failure surfaces in the report that is waited for.
    this.died.catch(() => undefined);
  }

  /** The first report of one of these kinds, past or to come. */
  async reported<Kind extends ThreadReport['kind']>(...kinds: readonly Kind[]): Promise<ReportOf<Kind>> {
    const isWanted = (report: ThreadReport): report is ReportOf<Kind> => kinds.some((kind) => kind === report.kind);
    for (;;) {
      const found = this.#reports.find(isWanted);
      if (found !== undefined) return found;
      await Promise.race([
        this.died,
        new Promise<void>((resolve) => {
          this.#notice = resolve;
        }),
      ]);
    }
  }

  async listen(ports: Ports): Promise<Ports> {
    this.#worker.postMessage({ kind: 'listen', ports } satisfies ThreadCommand);
    return (await this.reported('listening')).ports;
  }

  /** Gives the thread settings that may change while it runs. */
  configure(configuration: VectorConfiguration): void {
    this.#worker.postMessage({ kind: 'configure', configuration } satisfies ThreadCommand);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#worker.postMessage({ kind: 'stop' } satisfies ThreadCommand);
    await this.reported('stopped');
    await this.#worker.terminate();
  }
}
