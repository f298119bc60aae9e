/** What the threads of the service say to each other. */
import type { CatalogEvent } from '@sextant/vector-collection';
import type { MetricsSnapshot } from '@sextant/foundation-service';
import type { MessagePort } from 'node:worker_threads';
import type { AuthSnapshot } from '../auth/auth.ts';
import type { VectorConfiguration } from '../configuration.ts';

/** State that the writer owns and every serving thread follows. */
export type StateEvent =
  | { readonly kind: 'catalog'; readonly event: CatalogEvent }
  | { readonly kind: 'auth'; readonly snapshot: AuthSnapshot }
  /** Every collection is loaded. */
  | { readonly kind: 'ready' };

/** What the writer tells the indexer. */
export type IndexerEvent =
  | { readonly kind: 'catalog'; readonly event: CatalogEvent }
  | { readonly kind: 'written'; readonly collection: string };

/** What a thread tells main. */
export type ThreadReport =
  | { readonly kind: 'started' }
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'ready'; readonly collections: number }
  /** The service must not run as it is configured. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'stopped' };

/** What main asks of a serving thread, and what a serving thread asks of main. */
export type ServingRequest = { readonly kind: 'metrics' };
export type MetricsReply = MetricsSnapshot;

export type ServingThreadData = {
  readonly configuration: VectorConfiguration;
  /** The port to listen on; 0 lets the first thread choose. */
  readonly port: number;
  readonly shared: boolean;
  readonly seed: number;
  readonly startedMs: number;
  readonly counter: SharedArrayBuffer;
  readonly events: MessagePort;
  readonly writer: MessagePort;
  readonly metrics: MessagePort;
  readonly siblings: MessagePort;
};

export type WriterThreadData = {
  readonly configuration: VectorConfiguration;
  readonly counter: SharedArrayBuffer;
  readonly serving: readonly { readonly events: MessagePort; readonly requests: MessagePort }[];
  readonly indexer: { readonly events: MessagePort; readonly counter: SharedArrayBuffer };
};

export type IndexerThreadData = {
  readonly configuration: VectorConfiguration;
  readonly events: MessagePort;
  readonly counter: SharedArrayBuffer;
};
