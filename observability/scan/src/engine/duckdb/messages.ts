// SPDX-License-Identifier: Apache-2.0
/** What a scan asks of its asset in DuckDB, and the messages between it and the process that answers. */
import type { FileFormat } from '@sextant/observability-connectors';
import type { Row, StatementLimit, TenantLimits } from '../engine.ts';
import type { TextColumn, TextType } from './text-types.ts';

export type FilesToOpen = { readonly files: readonly FileToOpen[]; readonly format: FileFormat };

export type FileToOpen = {
  /** In the scan's own directory: a name without wildcards, and error messages that show no path of the machine. */
  readonly link: string;
  /** Of text: what is read, by name. */
  readonly columns: readonly TextColumn[];
};

export type EmptyColumn = { readonly name: string /** As DuckDB writes it. */; readonly type: string };

export type ProcessLimits = {
  readonly memoryBytes: number;
  readonly temporaryBytes: number;
  readonly threads: number;
  readonly spillDirectory: string;
};

export type Request = { readonly id: number } & AssetRequest;

export type AssetRequest =
  | {
      readonly kind: 'open';
      readonly files: FilesToOpen;
      readonly limits: ProcessLimits /** Whether rows have the order of their records. */;
      readonly isOrdered: boolean;
    }
  /** In place of files: the asset without a row. */
  | { readonly kind: 'empty'; readonly columns: readonly EmptyColumn[]; readonly limits: ProcessLimits }
  | { readonly kind: 'query'; readonly sql: string; readonly limit?: StatementLimit | undefined }
  | { readonly kind: 'tenant'; readonly sql: string; readonly limits: TenantLimits }
  /** Answers the names and types of the columns that a tenant's SELECT would have, and runs nothing. */
  | { readonly kind: 'bind'; readonly sql: string }
  /** Answers the tree of a SELECT as JSON; it is neither planned nor run. */
  | { readonly kind: 'parse'; readonly sql: string };

export type Reply =
  | { readonly kind: 'answered'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
  | { readonly kind: 'progress'; readonly rows: number; readonly fraction: number | null }
  /** The process ends itself, with a sentence for the scan; what went wrong in our own code is for the log. */
  | { readonly kind: 'ended'; readonly reason: string; readonly cause?: Error };

export type Answer = { readonly rows: readonly Row[]; readonly loaded: Loaded };

/** Where the statements of a scan run. What cannot be answered is rejected with a `ScanError`. */
export interface AssetClient extends AsyncDisposable {
  call(request: AssetRequest): Promise<Answer>;
}

export type AssetClientOptions = {
  /** Of the scan alone. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly rows: number; readonly fraction: number | null }) => void;
};

export type OpenAssetClient = (options: AssetClientOptions) => AssetClient;

/** What of the files is no part of the asset. */
export type Loaded = {
  readonly rows: number;
  readonly rejected: Rejected;
  readonly mismatches: readonly Mismatch[];
  /** In the order of the files. */
  readonly rowsByFile?: readonly number[];
};

export type Rejected = { readonly count: number; readonly samples: readonly string[] };

/** Values that do not fit the type of their column; of each column that has a type besides text. */
export type Mismatch = { readonly column: string; readonly type: TextType; readonly count: number; readonly samples: readonly string[] };
