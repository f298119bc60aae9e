// SPDX-License-Identifier: Apache-2.0
/** What the threads of the service say to each other. */
import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode, ServiceError } from '@sextant/contracts-vector';
import type { RequestStatistic } from '@sextant/foundation-service';
import type { MetricsSnapshot } from '@sextant/foundation-service/http';
import type { CatalogEvent } from '@sextant/vector-collection';
import type { AuthSnapshot } from '../auth/auth.ts';
import type { KnownPeer } from '../cluster/peers.ts';
import type { VectorConfiguration } from '../configuration.ts';
import type { EmbeddingFigures } from '../embedding/embedder.ts';
import type { EmbeddingRequest } from '../embedding/provider.ts';
import type { DescriptorPlan } from '../resources/descriptor-plan.ts';

/** What each thread knows that says something of itself. */
export type NamedRun = {
  readonly configuration: VectorConfiguration;
  readonly startedMs: number;
  /** Names this run of the service in its telemetry. */
  readonly instanceId: string;
};

/** State that the writer owns and every serving thread follows. */
export type StateEvent =
  | { readonly kind: 'catalog'; readonly event: CatalogEvent }
  | { readonly kind: 'auth'; readonly snapshot: AuthSnapshot }
  /** The nodes of the cluster, this one among them. */
  | { readonly kind: 'peers'; readonly peers: readonly KnownPeer[] }
  /** Every collection is loaded. */
  | { readonly kind: 'ready' };

/** What the writer tells the indexer and the linkers. */
export type IndexerEvent =
  | { readonly kind: 'catalog'; readonly event: CatalogEvent }
  /** The collection has rows to link or to reclaim. */
  | { readonly kind: 'written'; readonly collection: string };

/** What a thread tells main. */
export type ThreadReport =
  /** The writer knows the persisted state and has begun to load collections. */
  | { readonly kind: 'started'; readonly setupCode: string | undefined }
  /** The service must not run as it is configured. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'ready'; readonly collections: number }
  /** The models of the embedding thread are loaded. */
  | { readonly kind: 'embeds' }
  | { readonly kind: 'listening'; readonly ports: Ports }
  | { readonly kind: 'stopped' };

/** What main tells a thread. */
export type ThreadCommand =
  | { readonly kind: 'stop' }
  /** Settings that may change while the service runs have changed. */
  | { readonly kind: 'configure'; readonly configuration: VectorConfiguration }
  /** To a serving thread; port 0 takes a free one. */
  | { readonly kind: 'listen'; readonly ports: Ports };

export type Ports = { readonly rest: number; readonly grpc: number };

/** A serving thread asks main for everybody's counts; main asks each serving thread for its own. */
export type MetricsQuestion = 'counts';
export type ThreadCounts = { readonly metrics: MetricsSnapshot; readonly requests: readonly RequestStatistic[] };
export type AllCounts = readonly ThreadCounts[];

/** What the embedding thread is asked by others. */
export type EmbeddingQuestion = EmbeddingRequest | 'figures';
export type EmbeddingAnswer =
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'figures'; readonly figures: EmbeddingFigures }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly details: ServiceError['details'] };

/** To the embedding thread, for another one. */
export type EmbeddingLink = { readonly models: readonly string[]; readonly port: MessagePort };

/** What bounds the service as a whole. */
export type ResourceData = {
  readonly descriptors: DescriptorPlan;
  /** How many collections may be open at a time. */
  readonly openMax: number;
  /** See `OpeningGauges`. */
  readonly openings: SharedArrayBuffer;
  /** See `ConnectionCap`. */
  readonly connections: SharedArrayBuffer;
  /** Uploads and downloads that run; see `Transfers`. */
  readonly transfers: SharedArrayBuffer;
  /** See `DiskRoom`. */
  readonly disk: SharedArrayBuffer;
};

export type ServingThreadData = NamedRun & {
  readonly resources: ResourceData;
  /** Whether other threads listen on the same port. */
  readonly sharesPort: boolean;
  readonly seed: number;
  /** Whether this thread sends the metrics of all. */
  readonly sendsMetrics: boolean;
  /** See `SnapshotGauges`. */
  readonly snapshotGauges: SharedArrayBuffer;
  /** See `ClusterGauges`. */
  readonly clusterGauges: SharedArrayBuffer;
  /** Counts the bodies of all threads; see `BodyBudget`. */
  readonly bodyBytesHeld: SharedArrayBuffer;
  /** See `Traffic`. */
  readonly traffic: SharedArrayBuffer;
  readonly counter: SharedArrayBuffer;
  readonly events: MessagePort;
  readonly writer: MessagePort;
  readonly allCounts: MessagePort;
  readonly ownCounts: MessagePort;
  /** Undefined where no model makes dense vectors of texts. */
  readonly embedding: EmbeddingLink | undefined;
  /** To each other serving thread: where it is asked for help, and where it asks. */
  readonly others: readonly { readonly asked: MessagePort; readonly asking: MessagePort }[];
};

export type WriterThreadData = NamedRun & {
  readonly resources: Pick<ResourceData, 'descriptors' | 'disk' | 'openings'>;
  readonly seed: number;
  readonly rowsPerShard: number | undefined;
  /** See `SnapshotGauges`. */
  readonly snapshotGauges: SharedArrayBuffer;
  /** See `ClusterGauges`. */
  readonly clusterGauges: SharedArrayBuffer;
  /** See `Traffic`. */
  readonly traffic: SharedArrayBuffer;
  /** See `Ending`. */
  readonly ending: SharedArrayBuffer;
  readonly counter: SharedArrayBuffer;
  readonly embedding: EmbeddingLink | undefined;
  readonly serving: readonly { readonly events: MessagePort; readonly requests: MessagePort }[];
  /** The indexer and the linkers beside it. */
  readonly indexing: { readonly events: readonly MessagePort[]; readonly counter: SharedArrayBuffer };
};

export type IndexerThreadData = {
  readonly configuration: VectorConfiguration;
  /** See `Traffic`. */
  readonly traffic: SharedArrayBuffer;
  /** See `Ending`. */
  readonly ending: SharedArrayBuffer;
  readonly events: MessagePort;
  readonly counter: SharedArrayBuffer;
};

export type LinkerThreadData = IndexerThreadData & {
  /** 1 for the first beside the indexer. */
  readonly place: number;
};

export type EmbeddingThreadData = NamedRun & {
  /** One for each thread that asks. */
  readonly asked: readonly MessagePort[];
};
