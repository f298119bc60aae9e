// SPDX-License-Identifier: Apache-2.0
/** What loads the service while it is killed. Each client records in the ledger what was acknowledged, and only then. */
import type { Random } from '@sextant/foundation-std';
import { RequestError } from '../../vector-api.ts';
import type { ObservabilityApi } from '../observability-api.ts';
import { DEFAULT_PROJECT, scan } from '../scanning.ts';
import { type AlertLedger, NEVER } from './alert-ledger.ts';
import type { CrashLedger } from './ledger.ts';

const ROWS_MAX = 20_000;
/** Without it, making and sending tables takes more of the processor than the service that is tested. */
export const BETWEEN_STEPS_MS = 25;

export type Client = (api: ObservabilityApi) => Promise<void>;

type ClientOptions = { readonly ledger: CrashLedger; readonly random: Random };

/** What a client sees when its server is killed. */
export function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof RequestError) && 'code' in error && /^(ECONN|EPIPE)/.test(String(error.code));
}

/** Uploads a table. */
export function uploadClient({ ledger, random }: ClientOptions): Client {
  return async (api) => {
    const { name, bytes, rows } = table(random);
    const { id } = await api.call('create_upload', {}, { query: { name }, body: bytes });
    ledger.upload(id, { name, bytes: bytes.byteLength, rows });
  };
}

type ScanClientOptions = {
  readonly scansMax: number;
  /** Hears of the states of its scans. */
  readonly webhookUrl?: string;
};

/** Uploads a table, registers it and starts a scan; after `scansMax` of them in one life of the service it rests. */
export function scanClient({ ledger, random, scansMax, webhookUrl }: ClientOptions & ScanClientOptions): Client {
  let started = 0;
  return async (api) => {
    if (started >= scansMax) return new Promise((resolve) => setTimeout(resolve, 20));
    started += 1;
    const { name, bytes, rows } = table(random);
    const upload = await api.call('create_upload', {}, { query: { name }, body: bytes });
    ledger.upload(upload.id, { name, bytes: bytes.byteLength, rows });
    const hook = webhookUrl === undefined ? {} : { webhook_url: webhookUrl };
    const body = { name: upload.id, type: 'UPLOAD', payload: upload.payload, ...hook } as const;
    const asset = await api.call('create_asset', { project_id: DEFAULT_PROJECT }, { body });
    await api.call('put_attributes', { asset_id: asset.id }, { body: { all: true } });
    const { job_id } = await api.call('start_scan', { asset_id: asset.id });
    ledger.scan(job_id, { assetId: asset.id, rows });
  };
}

/** Registers a table that no monitor is content with, and scans it again and again. */
export function alertClient({ ledger, random }: { readonly ledger: AlertLedger; readonly random: Random }): Client {
  let assetId: string | undefined;
  return async (api) => {
    if (assetId !== undefined) return void (await scan(api, assetId));
    const { name, bytes } = table(random);
    const { payload } = await api.call('create_upload', {}, { query: { name }, body: bytes });
    const asset = await api.call('create_asset', { project_id: DEFAULT_PROJECT }, { body: { name, type: 'UPLOAD', payload } });
    await api.call('create_monitor', { asset_id: asset.id }, { body: NEVER });
    ledger.watch(asset.id);
    assetId = asset.id;
  };
}

/** Counts up in a configuration. */
export function counterClient({ ledger }: Pick<ClientOptions, 'ledger'>): Client {
  return async (api) => {
    const counter = String(ledger.proposeCounter());
    await api.call('put_spark_job_config', {}, { body: { spark_properties: { counter } } });
    ledger.settleCounter();
  };
}

function table(random: Random): { readonly name: string; readonly bytes: Buffer; readonly rows: number } {
  const rows = 1 + random.integer(ROWS_MAX);
  const lines = Array.from({ length: rows }, (_, row) => `${row},${random.integer(1000)},text ${random.integer(50)}`);
  return { name: `table-${rows}.csv`, bytes: Buffer.from(`id,number,text\n${lines.join('\n')}\n`), rows };
}
