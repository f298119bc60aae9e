/** The server's own small state: JSON documents under text keys, each change on disk before its call returns. One thread has it. */
import { type Environment, holdsEnvironment, openEnvironment } from './environment.ts';

const KIND = 'system';
const FORMAT_VERSION = 1;
const keyOf = (key: string) => `document/${key}`;

export type SystemChange =
  | { readonly kind: 'put'; readonly key: string; readonly value: unknown }
  | { readonly kind: 'delete'; readonly key: string };

export interface SystemStorage {
  get(key: string): unknown;
  /** Keys that start with `prefix`, in byte order, with their values. */
  list(prefix: string): { readonly key: string; readonly value: unknown }[];
  put(key: string, value: unknown): void;
  delete(key: string): void;
  /** All changes or none. */
  write(changes: readonly SystemChange[]): void;
  close(): void;
}

/** Opens the state in `directory`, and creates it the first time. */
export function openSystemStorage({ directory }: { readonly directory: string }): SystemStorage {
  const mode = holdsEnvironment(directory) ? 'write' : 'create';
  return new LmdbSystemStorage(
    openEnvironment({ directory, mode, kind: KIND, formatVersion: FORMAT_VERSION, openTables: () => ({}), initialDocuments: {} }),
  );
}

class LmdbSystemStorage implements SystemStorage {
  readonly #environment: Environment<object>;

  constructor(environment: Environment<object>) {
    this.#environment = environment;
  }

  get(key: string): unknown {
    return this.#environment.documents.get(keyOf(key));
  }

  list(prefix: string): { readonly key: string; readonly value: unknown }[] {
    const start = keyOf(prefix);
    const found: { key: string; value: unknown }[] = [];
    for (const { key, value } of this.#environment.documents.getRange({ start, end: undefined })) {
      if (!key.startsWith(start)) break;
      found.push({ key: key.slice(keyOf('').length), value });
    }
    return found;
  }

  put(key: string, value: unknown): void {
    this.write([{ kind: 'put', key, value }]);
  }

  delete(key: string): void {
    this.write([{ kind: 'delete', key }]);
  }

  write(changes: readonly SystemChange[]): void {
    this.#environment.transaction(() => {
      for (const change of changes) this.#apply(change);
    });
  }

  close(): void {
    this.#environment.close();
  }

  #apply(change: SystemChange): void {
    switch (change.kind) {
      case 'put':
        this.#environment.documents.putSync(keyOf(change.key), change.value);
        return;
      case 'delete':
        this.#environment.documents.removeSync(keyOf(change.key));
        return;
    }
  }
}
