/** The messages between a scan and its DuckDB process. */
import type { FileFormat } from '@sextant/observability-connectors';
import type { Row, TenantLimits } from '../engine.ts';

export type FilesToOpen = {
  /** Links of the scan's own directory: names without wildcards, and error messages that show no path of the machine. */
  readonly links: readonly string[];
  readonly format: FileFormat;
  readonly compression: 'none' | 'gzip';
  /** Of the columns, where the files do not say them; else empty. */
  readonly names: readonly string[];
};

export type ProcessLimits = {
  readonly memoryBytes: number;
  readonly temporaryBytes: number;
  readonly threads: number;
  readonly spillDirectory: string;
};

export type Request = { readonly id: number } & (
  | { readonly kind: 'open'; readonly files: FilesToOpen; readonly limits: ProcessLimits }
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'tenant'; readonly sql: string; readonly limits: TenantLimits }
);

export type Reply =
  | { readonly kind: 'answered'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
  | { readonly kind: 'progress'; readonly rows: number; readonly fraction: number | null }
  /** The process ends itself, with a sentence for the scan. */
  | { readonly kind: 'ended'; readonly reason: string };

export type Answer = { readonly rows: readonly Row[]; readonly broken: Broken };

export type Broken = { readonly count: number; readonly samples: readonly string[] };
