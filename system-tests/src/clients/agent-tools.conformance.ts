// SPDX-License-Identifier: Apache-2.0
/** The tools of `sextant mcp`, called by the protocol's own client. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { VectorClient } from '@sextant/sdk';
import { expect } from 'vitest';

export type AgentFixture = {
  /** Of the vector service, with the collections `rows` and `things` (three components, empty). */
  readonly address: string;
  /** Of the asset `orders`. */
  readonly assetId: string;
  /** How many points `rows` has. */
  readonly rows: number;
};

/** Every tool as an agent meets it, however it is connected. */
export async function useTools(client: Client, { address, assetId, rows }: AgentFixture): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['search', 'scroll', 'upsert', 'collection_info', 'list_incidents', 'asset_health', 'run_scan']),
  );
  const call = async (name: string, args: object) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
    return { structuredContent, isError, text: (content as readonly { readonly text?: string }[])[0]?.text };
  };
  expect((await call('collection_info', { collection: 'rows' })).structuredContent).toMatchObject({ points_count: rows });
  const hits = await call('search', { collection: 'rows', id: 5, limit: 2, exact: true });
  expect(hits.structuredContent).toMatchObject({ left_out: 0, hits: [{ id: expect.any(Number) }, { score: expect.any(Number) }] });
  const page = await call('scroll', { collection: 'rows', limit: 2, with_payload: ['row'] });
  expect(page.structuredContent).toEqual({
    points: [
      { id: 0, payload: { row: 0 } },
      { id: 1, payload: { row: 1 } },
    ],
    next_page_offset: 2,
  });
  const points = [
    { id: '18446744073709551615', vector: [1, 0, 0], payload: { color: 'red' } },
    { id: 2, vector: [1, 0] },
  ];
  expect((await call('upsert', { collection: 'things', points, dry_run: true })).structuredContent).toEqual({
    dry_run: true,
    inserted: 2,
    replaced: 0,
    problems: ['point 2: the vector has 2 components; the collection expects 3'],
  });
  expect(await call('upsert', { collection: 'things', points })).toMatchObject({
    isError: true,
    text: expect.stringContaining('expected 3, got 2'),
  });
  expect((await call('upsert', { collection: 'things', points: points.slice(0, 1) })).structuredContent).toMatchObject({
    inserted: 1,
    replaced: 0,
  });
  expect((await call('upsert', { collection: 'things', points: points.slice(0, 1) })).structuredContent).toMatchObject({
    inserted: 0,
    replaced: 1,
  });
  expect((await call('scroll', { collection: 'things' })).structuredContent).toMatchObject({ points: [{ id: '18446744073709551615' }] });
  await new VectorClient({ url: address }).collection('things').deletePoints([18_446_744_073_709_551_615n]);
  expect((await call('run_scan', { asset: 'orders', dry_run: true })).structuredContent).toMatchObject({
    dry_run: true,
    asset_id: assetId,
  });
  expect((await call('run_scan', { asset: 'orders' })).structuredContent).toMatchObject({ job: { status: 'FINISHED' }, alerts: [] });
  expect((await call('asset_health', { asset: 'orders' })).structuredContent).toMatchObject({
    assets: [{ last_scan: { status: 'FINISHED' } }],
  });
  expect((await call('list_incidents', {})).structuredContent).toEqual({ incidents: [], left_out: 0 });
  expect(await call('search', { collection: 'rows', id: 5, limit: 1000 })).toMatchObject({
    isError: true,
    text: expect.stringContaining('limit'),
  });
  // Nothing here embeds texts, which the service says of the one that it was sent.
  expect(await call('search', { collection: 'rows', text: 'a', model: 'words' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('words'),
  });
  expect(await call('search', { collection: 'nosuch', id: 5 })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Collection not found'),
  });
}
