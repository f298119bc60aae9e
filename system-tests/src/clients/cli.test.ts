// SPDX-License-Identifier: Apache-2.0
/** `sextant` against both services as they run in life: commands, exit codes, imports that are killed, tools of agents, and its walkthrough. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { ObservabilityClient, VectorClient } from '@sextant/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedServiceUnderTest } from '../observability/contract/service-under-test.ts';
import { ADMIN } from '../observability/observability-server.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { OFTEN, until } from '../until.ts';
import { useTools } from './agent-tools.conformance.ts';
import { type Environment, environmentOf, PROGRAM, sextant, startSextant } from './sextant.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const DIMENSION = 32;
const ROWS = 2000;
let directory: TemporaryDirectory;
let vector: ChildServer;
let environment: Environment;
let assetId: string;

const fixture = () => ({ address: vector.address, assetId, rows: ROWS });
const at = (name: string) => join(directory.path, name);
const run = (...args: readonly string[]) => sextant(args, environment);

/** What a command prints for programs. */
async function json<Value>(...args: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await run(...args, '--json');
  if (code !== 0) throw new Error(`sextant ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  vector = await sharedVectorServer();
  const { server: observability, api } = await sharedServiceUnderTest();
  const client = new ObservabilityClient({ url: observability.address, tenant: api.tenant });
  await client.signIn({ username: ADMIN.email, password: ADMIN.password });
  const { payload } = await client.upload('orders.csv', Buffer.from('id,price\n1,10\n2,20\n3,30\n'));
  const asset = await client.createAsset({ project_id: 0, name: 'orders', type: 'UPLOAD', payload });
  assetId = asset.id;
  await client.putAttributes({ asset_id: assetId, all: true });
  const key = await client.createApiKey({ name: 'cli' });
  environment = environmentOf(directory.path, {
    SEXTANT_URL: vector.address,
    SEXTANT_OBSERVABILITY_URL: observability.address,
    SEXTANT_OBSERVABILITY_KEY: key.key,
    SEXTANT_TENANT: api.tenant,
  });
});

afterAll(() => directory[Symbol.asyncDispose]());

describe('collections', () => {
  test('are created, described, indexed and deleted, as tables and as JSON', async () => {
    expect(await run('collections', 'create', 'things', '--size', '3', '--distance', 'Dot')).toMatchObject({
      code: 0,
      stdout: 'Created things.\n',
    });
    expect((await run('collections', 'list')).stdout).toBe('NAME    POINTS  STATUS  VECTORS\nthings       0  green   3 Dot\n');
    await run('collections', 'indexes', 'create', 'things', 'color', 'keyword');
    expect(await json('collections', 'indexes', 'list', 'things')).toEqual([{ field: 'color', type: 'keyword', points: 0 }]);
    expect(await json('collections', 'info', 'things')).toMatchObject({ name: 'things', points_count: 0, status: 'green' });
    await run('collections', 'create', 'named', '--vector', 'a=2', '--vector', 'b=3:Euclid');
    expect(await json('collections', 'list')).toContainEqual({
      name: 'named',
      status: 'green',
      points_count: 0,
      vectors: [
        { name: 'a', kind: 'dense', size: 2, distance: 'Cosine' },
        { name: 'b', kind: 'dense', size: 3, distance: 'Euclid' },
      ],
    });
    await run('collections', 'create', 'texts', '--sparse', 'words', '--sparse', 'tags');
    expect((await run('collections', 'list')).stdout).toMatch(/^texts +0 +green +words: sparse; tags: sparse$/m);
    await run('collections', 'delete', 'texts', '--yes');
    expect(await run('collections', 'delete', 'named')).toMatchObject({ code: 2, stderr: expect.stringContaining('Pass --yes') });
    expect(await run('collections', 'delete', 'named', '--yes')).toMatchObject({ code: 0 });
  });

  test.each([
    [5, ['collections', 'info', 'nosuch'], 'Collection not found: nosuch'],
    [6, ['collections', 'create', 'things', '--size', '3'], 'already exists'],
    [2, ['collections', 'create', 'x'], 'pass either --size for one vector'],
    [2, ['collections', 'creat'], 'Did you mean create?'],
    [2, ['search', 'things', '--limit', 'many'], 'Expected a whole number of at least 1'],
    [2, ['search', 'things'], 'one of --vector, --text, --id and --file'],
    [6, ['search', 'things', '--vector', '1,2'], 'expected 3, got 2'],
    [6, ['search', 'things', '--vector', '1,2,3', '--filter', '{"must": 5}'], 'filter'],
    [3, ['collections', 'list', '--url', 'http://127.0.0.1:1'], 'sextant serve'],
    [7, ['import', 'things', 'nosuch.ndjson'], 'does not exist'],
    [4, ['observe', 'assets', '--observability-key', 'wrong'], 'SEXTANT_OBSERVABILITY_KEY'],
  ] as const)('exit code %i: sextant %j', async (code, args, sentence) => {
    const ended = await run(...args);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    expect(ended.stderr).toContain(sentence);
  });
});

describe('an import', () => {
  const random = seededRandom(7);
  const points = Array.from({ length: ROWS }, (_, id) => ({
    id,
    vector: Array.from({ length: DIMENSION }, () => Math.round(random.next() * 1000) / 1000),
    payload: { row: id, parity: id % 2 === 0 ? 'even' : 'odd' },
  }));
  const command = () => ['import', 'rows', at('rows.ndjson'), '--create', '--distance', 'Euclid', '--batch', '25', '--parallel', '1'];

  /** Starts it, and ends it by `signal` once some of it is in. */
  async function interrupted(signal: NodeJS.Signals) {
    const state = at('rows.ndjson.sextant-import');
    const before = existsSync(state) ? await rowsIn(state) : 0;
    const { child, ended } = startSextant(command(), environment);
    const isSoFar = async () => (existsSync(state) && (await rowsIn(state)) > before + 200) || undefined;
    await until('some rows are in', 120_000, isSoFar, OFTEN);
    child.kill(signal);
    const ending = await ended;
    return { ...ending, rows: await rowsIn(state) };
  }

  async function rowsIn(state: string): Promise<number> {
    return (JSON.parse(await readFile(state, 'utf8')) as { readonly rows: number }).rows;
  }

  test('that is killed, then interrupted, goes on until every row is in once', async () => {
    await writeFile(at('rows.ndjson'), points.map((point) => `${JSON.stringify(point)}\n`).join(''));
    const killed = await interrupted('SIGKILL');
    expect(killed.signal).toBe('SIGKILL');
    expect(killed.rows).toBeGreaterThan(200);
    expect(killed.rows).toBeLessThan(ROWS);
    const stopped = await interrupted('SIGINT');
    expect(stopped).toMatchObject({ code: 130, stderr: expect.stringContaining('Run the same command again to continue from there.') });
    expect(stopped.rows).toBeGreaterThan(killed.rows);
    const done = await run(...command());
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported [\d,]+ points into rows/) });
    expect(done.stderr).toContain(`Continuing after row ${stopped.rows.toLocaleString('en-US')}.`);
    expect(existsSync(at('rows.ndjson.sextant-import'))).toBe(false);
    await run('export', 'rows', at('exported.ndjson'));
    const exported = (await readFile(at('exported.ndjson'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(exported).toEqual(points.map(({ id, vector: components, payload }) => ({ id, payload, vector: components })));
  });

  test('of what was exported gives the same collection, through Parquet and packed lines', async () => {
    await run('export', 'rows', at('rows.parquet'), '--limit', '500');
    await run('export', 'rows', at('rows.ndjson.gz'), '--limit', '500');
    await run('import', 'from-parquet', at('rows.parquet'), '--create', '--distance', 'Euclid');
    await run('import', 'from-lines', at('rows.ndjson.gz'), '--create', '--distance', 'Euclid');
    const [fromParquet, fromLines] = [await run('export', 'from-parquet'), await run('export', 'from-lines')];
    expect(fromParquet.stdout.split('\n')).toHaveLength(501);
    expect(fromParquet.stdout).toBe(fromLines.stdout);
  });

  test('leaves out the rows that the service refuses, or says which one and what is in', async () => {
    const dimensions = [2, 2, 2, 3, 2, 2, 1, 2];
    const lines = dimensions.map((dimension, id) => JSON.stringify({ id, vector: Array<number>(dimension).fill(1) }));
    await writeFile(at('uneven.ndjson'), lines.join('\n'));
    const uneven = ['import', 'uneven', at('uneven.ndjson'), '--create', '--batch', '4'];
    const stopped = await run(...uneven);
    expect(stopped.code).toBe(7);
    expect(stopped.stderr).toContain('row 4 is refused as point 3: Dimension mismatch for vector: expected 2, got 3');
    expect(stopped.stderr).toContain('The first 3 rows are imported; run the same command again to continue from there.');
    const skipped = await run(...uneven, '--on-error', 'skip');
    expect(skipped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported 3 points into uneven .* skipped 2 rows\.$/m) });
    expect(skipped.stderr).toContain('Continuing after row 3.');
    expect(skipped.stderr).toContain('row 7 is skipped: it is refused as point 6: Dimension mismatch for vector: expected 2, got 1');
    const { stdout } = await run('export', 'uneven');
    expect(stdout.match(/(?<="id":)\d+/g)).toEqual(['0', '1', '2', '4', '5', '7']);
  });

  test('of delimited text maps columns, and reports or leaves out broken rows', async () => {
    await writeFile(at('a.csv'), 'key,x,y,name\n1,0.5,1,one\n2,zwei,2,two\n3,1.5,3,three\n');
    const mapped = ['import', 'delimited', at('a.csv'), '--id', 'key', '--vector', 'x', '--create'];
    expect(await run(...mapped)).toMatchObject({ code: 7, stderr: expect.stringContaining('has no vector in x') });
    const columns = ['import', 'delimited', at('a.csv'), '--id', 'key', '--vector', '*', '--payload', 'name', '--create', '--no-state'];
    expect(await run(...columns)).toMatchObject({ code: 7 });
    await writeFile(at('b.csv'), 'key,v1,v2,name\n1,0.5,1,one\n2,zwei,2,two\n3,1.5,3,three\n');
    const created = ['--create', '--distance', 'Euclid', '--on-error', 'skip', '--json'];
    const skipping = await run('import', 'delimited', at('b.csv'), '--id', 'key', '--vector', 'v*', ...created);
    expect(JSON.parse(skipping.stdout)).toMatchObject({ rows: 3, points: 2, left_out: 1 });
    expect(skipping.stderr).toContain('row 2 is skipped: it has no number in v1, but zwei');
    expect((await run('export', 'delimited')).stdout).toBe(
      '{"id":1,"payload":{"name":"one"},"vector":[0.5,1]}\n{"id":3,"payload":{"name":"three"},"vector":[1.5,3]}\n',
    );
  });
});

test('searches go by vector, by point and by file, with filters', async () => {
  const byPoint = await json<{ id: number; score: number }[]>('search', 'rows', '--id', '5', '--limit', '3', '--exact');
  const { stdout } = await run('export', 'rows', '--limit', '6');
  const line = JSON.parse(stdout.trimEnd().split('\n')[5] ?? '') as { readonly vector: readonly number[] };
  const byVector = await json<{ id: number; score: number }[]>(
    'search',
    'rows',
    '--vector',
    JSON.stringify(line.vector),
    '--limit',
    '4',
    '--exact',
  );
  expect(byVector[0]).toMatchObject({ id: 5, score: 0 });
  expect(byVector.slice(1)).toEqual(byPoint);
  const filter = '{"must": [{"key": "parity", "match": {"value": "odd"}}]}';
  const byFile = await json<{ row: number; hits: { id: number; payload: object }[] }[]>(
    'search',
    'rows',
    '--file',
    at('rows.ndjson'),
    '--rows',
    '40',
    '--skip',
    '2',
    '--limit',
    '2',
    '--exact',
    '--filter',
    filter,
    '--payload',
    'row',
  );
  expect(byFile.map(({ row }) => row)).toEqual(Array.from({ length: 40 }, (_, index) => index + 3));
  expect(byFile[1]?.hits[0]).toMatchObject({ id: 3, payload: { row: 3 } });
  expect(byFile.every(({ hits }) => hits.every(({ id }) => id % 2 === 1))).toBe(true);
  expect((await run('search', 'rows', '--id', '5', '--limit', '1')).stdout).toMatch(/^ *ID +SCORE +ROW +PARITY\n/);
});

test('a collection goes into a file and comes back, and damage is reported', async () => {
  expect(await json('backup', 'create', 'rows', at('rows.snapshot'))).toMatchObject({ size: (await stat(at('rows.snapshot'))).size });
  expect(await json('backup', 'list', 'rows')).toEqual([]);
  expect(await run('restore', 'rows', '--file', at('rows.snapshot'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2,000 points'),
  });
  expect((await run('restore', 'again', '--file', at('rows.snapshot'))).stdout).toBe('Restored again with 2,000 points.\n');
  const { name } = await json<{ readonly name: string }>('backup', 'create', 'again');
  await new VectorClient({ url: vector.address }).collection('again').deletePoints([1, 2, 3]);
  expect((await run('restore', 'again', '--snapshot', name, '--yes')).stdout).toBe('Restored again with 2,000 points.\n');
  expect(await run('backup', 'delete', 'again', name)).toMatchObject({ code: 0 });
  await truncate(at('rows.snapshot'), 100_000);
  expect(await run('restore', 'again', '--file', at('rows.snapshot'), '--yes')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('not a tar archive'),
  });
  await run('collections', 'delete', 'again', '--yes');
});

test('a bench says rate, latencies and recall', async () => {
  const figures = await json('bench', 'rows', '--seconds', '0.3', '--queries', '5', '--parallel', '2', '--ef', '128');
  expect(figures).toMatchObject({ collection: 'rows', queries: 5, searches: expect.any(Number), latency_ms: { p50: expect.any(Number) } });
  expect(await run('bench', 'things')).toMatchObject({ code: 5, stderr: expect.stringContaining('no points') });
});

test('an asset is scanned, and its findings are reported', async () => {
  expect((await run('observe', 'assets')).stdout).toContain('orders');
  expect(await json('observe', 'connections')).toEqual([]);
  expect(await run('observe', 'alerts', 'orders')).toMatchObject({ code: 5, stderr: expect.stringContaining('has not been scanned yet') });
  const scanned = await run('observe', 'scan', 'orders', '--fail-on-alerts');
  expect(scanned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Scanned orders: 3 rows, \d+ monitors need more scans\.\n$/) });
  expect(await json('observe', 'scan', assetId)).toMatchObject({ job: { status: 'FINISHED' }, alerts: [] });
  expect(await json('observe', 'alerts', 'orders')).toEqual([]);
  expect((await run('observe', 'incidents', '--status', 'open', '--fail-on-open')).stdout).toBe('No incidents.\n');
  expect(await run('observe', 'scan', 'nosuch')).toMatchObject({ code: 5, stderr: expect.stringContaining('sextant observe assets') });
});

describe('the tools of an agent', () => {
  test('over standard input and output', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const env = { ...getDefaultEnvironment(), ...environment };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }));
    await useTools(client, fixture());
    await client.close();
  });

  test('over HTTP, for those who have the token and whose page may call, without those that write if asked', async () => {
    const args = ['mcp', '--transport', 'http', '--port', '0', '--allow-origin', 'https://agents.example', '--read-only'];
    const { child, ended, stderr } = startSextant(args, { ...environment, SEXTANT_MCP_TOKEN: 'token-of-the-test' });
    const address = await until('the tools are served', 120_000, async () => /http:\S+\/mcp/.exec(stderr())?.[0]);
    const headers = { authorization: 'Bearer token-of-the-test' };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('collection_info');
    expect(names).not.toContain('upsert');
    expect(await client.callTool({ name: 'upsert', arguments: {} })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'collection_info', arguments: { collection: 'rows' } })).toMatchObject({
      structuredContent: { points_count: ROWS },
    });
    await client.close();
    const post = async (more: Environment) =>
      (await fetch(address, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...more } })).status;
    expect(await post({})).toBe(401);
    expect(await post({ ...headers, origin: 'https://elsewhere.example' })).toBe(403);
    expect(await post({ ...headers, origin: 'https://agents.example' })).not.toBe(403);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});

test('the walkthrough does what it says', async () => {
  const page = await readFile(join(ROOT, 'docs/tutorials/mnist-import.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(5);
  // As many images as a test has time for.
  const script = blocks
    .join('\n')
    .replace('--create --distance Euclid\n', '--create --distance Euclid --limit 1200\n')
    .replace('export digits digits.parquet', '$& --limit 400')
    .replace('--seconds 2 --queries 20', '--seconds 0.2 --queries 3')
    .replaceAll(/\b(?=node_modules\/)/g, `${ROOT}/`)
    .replaceAll('digits.parquet', at('digits.parquet'));
  const printed: string[] = [];
  for (const [exec, dashes, program, ...args] of await npmCommandsOf(script)) {
    expect([exec, dashes, program]).toEqual(['exec', '--', 'sextant']);
    const { code, stdout, stderr } = await run(...args);
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    printed.push(stdout);
  }
  const stdout = printed.join('');
  expect(stdout).toContain('Imported 1,200 points into digits');
  const [, byId = '', byFile = '', eights = ''] = stdout.split(/^ *(?:ROW +)?ID +SCORE +LABEL\n/m);
  expect(labelsIn(byId)).toEqual([3, 3, 3, 3, 3]);
  expect(labelsIn(byFile)).toEqual([7, 7, 7, 2, 2, 2, 1, 1, 1, 0, 0, 0]);
  expect(labelsIn(eights)).toEqual([8, 8, 8]);
  expect(stdout).toContain('Imported 400 points into copy');
  expect(stdout).toContain('Deleted copy with its 400 points.');
});

/** What a script has npm do, as the shell reads it, in place of doing it: `run` takes a tenth of a process for each. */
async function npmCommandsOf(script: string): Promise<readonly (readonly string[])[]> {
  const noted = `npm() { printf '%s\\0' "$@"; printf '\\n'; }\n${script}`;
  const { stdout } = await promisify(execFile)('bash', ['-euc', noted]);
  return stdout
    .split('\0\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\0'));
}

/** The last cell of the lines of a table. */
function labelsIn(table: string): readonly number[] {
  return [...table.matchAll(/^ *\d+ .* (\d+)$/gm)].map(([, label]) => Number(label));
}

test('serve runs a service until Ctrl-C', async () => {
  const home = environmentOf(directory.path, { SERVICE_DATA_DIR: at('served'), SERVICE_REST_PORT: '0', SERVICE_GRPC_PORT: '0' });
  const { child, ended, stdout } = startSextant(['serve', '--only', 'vector', '--', '--service-threads', '1'], home);
  const address = await until('the service listens', 120_000, async () => /"address":"(http:[^"]+)"/.exec(stdout())?.[1]);
  expect((await fetch(`${address}/livez`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"stopped"') });
});
