/**
 * Starts the threads of the service, connects them, and ends them in order. A thread that dies ends the service: what was
 * acknowledged is on disk, and half a service would only hide the fault.
 */
import { createServer } from 'node:net';
import { MessageChannel, type Transferable, Worker } from 'node:worker_threads';
import type { MetricsSnapshot } from '@sextant/foundation-service';
import type { VectorConfiguration } from '../configuration.ts';
import { BodyBudget } from '../rest/body-budget.ts';
import { Broadcaster } from './broadcast.ts';
import type { AllCounts, MetricsQuestion, ServingThreadData, ThreadCommand, ThreadReport, WriterThreadData } from './messages.ts';
import { RpcClient, serveRpc } from './rpc.ts';

export type VectorService = {
  readonly address: string;
  /** Resolves with the number of collections when all are loaded. */
  readonly ready: Promise<number>;
  /** Rejects when a thread dies. */
  readonly failed: Promise<never>;
  /** Finishes the requests in flight, then writes, then graphs. */
  stop(): Promise<void>;
};

export type SupervisorOptions = {
  readonly configuration: VectorConfiguration;
  /** Seeds the random samples of the threads. */
  readonly seed: number;
  readonly startedMs: number;
};

/** The service must not run as it is configured; the message says what to change. */
export class ServiceRefusedError extends Error {
  override readonly name = 'ServiceRefusedError';
}

export async function startVectorService(options: SupervisorOptions): Promise<VectorService> {
  const { configuration } = options;
  const threadCount = servingThreadCount(configuration);
  if (configuration.restPort !== 0) await checkPortFree(configuration);

  const counter = Broadcaster.allocateCounter();
  const bodyBytesHeld = BodyBudget.allocate();
  const indexerCounter = Broadcaster.allocateCounter();
  const toIndexer = new MessageChannel();
  const connections = Array.from({ length: threadCount }, () => ({ events: new MessageChannel(), requests: new MessageChannel() }));

  const indexer = new Thread('indexer-thread.ts', { configuration, events: toIndexer.port2, counter: indexerCounter }, [toIndexer.port2]);
  const writerPorts = connections.map(({ events, requests }) => ({ events: events.port1, requests: requests.port1 }));
  const writerData: WriterThreadData = {
    configuration,
    seed: options.seed,
    counter,
    serving: writerPorts,
    indexer: { events: toIndexer.port1, counter: indexerCounter },
  };
  const writer = new Thread('writer-thread.ts', writerData, [
    toIndexer.port1,
    ...writerPorts.flatMap(({ events, requests }) => [events, requests]),
  ]);
  const metrics: RpcClient<MetricsQuestion, MetricsSnapshot>[] = [];
  const allCounts = (): Promise<AllCounts> => Promise.all(metrics.map((thread) => thread.call('counts')));
  const serving = connections.map(({ events, requests }, index) => {
    const own = new MessageChannel();
    const all = new MessageChannel();
    metrics.push(new RpcClient(own.port1));
    serveRpc<MetricsQuestion, AllCounts>(all.port1, allCounts);
    const data: ServingThreadData = {
      configuration,
      sharesPort: threadCount > 1,
      seed: options.seed + index,
      startedMs: options.startedMs,
      bodyBytesHeld,
      counter,
      events: events.port2,
      writer: requests.port2,
      allCounts: all.port2,
      ownCounts: own.port2,
    };
    return new Thread('serving-thread.ts', data, [events.port2, requests.port2, all.port2, own.port2]);
  });
  const stop = async () => {
    await Promise.all(serving.map((thread) => thread.stop()));
    await indexer.stop();
    await writer.stop();
  };

  const started = await writer.reported('started', 'refused');
  if (started.kind === 'refused') {
    await stop();
    throw new ServiceRefusedError(started.problem);
  }
  let port = configuration.restPort;
  // One after the other: with port 0 the first thread chooses the port for all.
  for (const thread of serving) port = await thread.listen(port);

  return {
    address: `http://${configuration.host.includes(':') ? `[${configuration.host}]` : configuration.host}:${port}`,
    ready: writer.reported('ready').then(({ collections }) => collections),
    failed: Promise.race([writer, indexer, ...serving].map(({ died }) => died)),
    stop,
  };
}

/** Several listeners on one port need SO_REUSEPORT with balancing, which Node offers on Linux alone. */
function servingThreadCount({ threads }: VectorConfiguration): number {
  return process.platform === 'linux' ? threads : 1;
}

/** A shared port can be shared by another process too, unnoticed; a listener that does not share it finds out. */
async function checkPortFree({ host, restPort }: VectorConfiguration): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host, port: restPort }, resolve);
  });
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

type ReportOf<Kind extends ThreadReport['kind']> = Extract<ThreadReport, { kind: Kind }>;

class Thread {
  /** Rejects when the thread fails or ends unasked. */
  readonly died: Promise<never>;
  readonly #worker: Worker;
  readonly #reports: ThreadReport[] = [];
  #stopping = false;
  #notice: (() => void) | undefined;

  constructor(file: string, workerData: object, transferList: Transferable[]) {
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData, transferList, name: file });
    this.#worker.on('message', (report: ThreadReport) => {
      this.#reports.push(report);
      this.#notice?.();
    });
    this.died = new Promise<never>((_resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => {
        if (!this.#stopping) reject(new Error(`${file} ended`));
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

  async listen(port: number): Promise<number> {
    this.#worker.postMessage({ kind: 'listen', port } satisfies ThreadCommand);
    return (await this.reported('listening')).port;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#worker.postMessage({ kind: 'stop' } satisfies ThreadCommand);
    await this.reported('stopped');
    await this.#worker.terminate();
  }
}
