// SPDX-License-Identifier: Apache-2.0
/** Snapshots of one collection or of the whole storage. They require the capabilities `snapshots` and `recovery`. */
import type { SnapshotDescription, SnapshotRecover, VectorOperations } from '../contract/vector-types.ts';
import type { RequestOptions } from '../http/request-options.ts';
import type { VectorCall, VectorOperationId } from './vector-client.ts';

export type CallOperation = <Id extends VectorOperationId>(
  id: Id,
  input: VectorCall<Id>,
  options?: RequestOptions,
) => Promise<VectorOperations[Id]['result']>;

/** Snapshots of the whole storage: all collections and aliases. */
export class StorageSnapshots {
  readonly #call: CallOperation;

  /** Use {@link VectorClient.snapshots}. */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  list(options?: RequestOptions): Promise<readonly SnapshotDescription[]> {
    return this.#call('list_full_snapshots', {}, options);
  }

  /** Creates a snapshot while reads and writes continue. Resolves when it is on disk. */
  async create(options?: RequestOptions): Promise<SnapshotDescription> {
    return written(await this.#call('create_full_snapshot', {}, options));
  }

  /** The bytes of the file as a stream. */
  download(name: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#call('get_full_snapshot', { params: { snapshot_name: name } }, options);
  }

  delete(name: string, options?: RequestOptions): Promise<boolean> {
    return this.#call('delete_full_snapshot', { params: { snapshot_name: name } }, options);
  }
}

/** Snapshots of one collection. */
export class CollectionSnapshots {
  readonly #call: CallOperation;
  readonly #collection: string;

  /** Use {@link Collection.snapshots}. */
  constructor(collection: string, call: CallOperation) {
    this.#collection = collection;
    this.#call = call;
  }

  list(options?: RequestOptions): Promise<readonly SnapshotDescription[]> {
    return this.#call('list_snapshots', { params: this.#params }, options);
  }

  /** Creates a snapshot while reads and writes continue. Resolves when it is on disk. */
  async create(options?: RequestOptions): Promise<SnapshotDescription> {
    return written(await this.#call('create_snapshot', { params: this.#params }, options));
  }

  /** The bytes of the file as a stream. */
  download(name: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#call('get_snapshot', { params: { ...this.#params, snapshot_name: name } }, options);
  }

  delete(name: string, options?: RequestOptions): Promise<boolean> {
    return this.#call('delete_snapshot', { params: { ...this.#params, snapshot_name: name } }, options);
  }

  /** Replaces or creates the collection from a snapshot at a URL or in the service's snapshots folder. */
  recover(from: SnapshotRecover, options?: RequestOptions): Promise<boolean> {
    return this.#call('recover_snapshot', { params: this.#params, body: from }, options);
  }

  /** Restores the collection from one of its own snapshots. */
  restore(name: string, options?: RequestOptions): Promise<boolean> {
    return this.#call('recover_named_snapshot', { params: { ...this.#params, snapshot_name: name }, body: {} }, options);
  }

  /** Replaces or creates the collection from a file. `checksum` is the expected SHA-256 of the file. */
  upload(file: Blob, { checksum, ...options }: RequestOptions & { readonly checksum?: string | undefined } = {}): Promise<boolean> {
    return this.#call('recover_uploaded_snapshot', { params: this.#params, query: { checksum }, body: file }, options);
  }

  get #params(): { readonly collection_name: string } {
    return { collection_name: this.#collection };
  }
}

/** Null is the answer to those who do not wait, which is not offered here. */
function written(description: SnapshotDescription | null): SnapshotDescription {
  if (description === null) throw new TypeError('the service did not wait for the snapshot');
  return description;
}
