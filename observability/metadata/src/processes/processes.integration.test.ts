// SPDX-License-Identifier: Apache-2.0
import { type Clock, systemClock } from '@sextant/foundation-std';
import { missingPostgres, type SharedPostgres, sharedPostgres } from '@sextant/foundation-testing';
import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { joinProcesses, type ProcessesOptions } from './postgresql-processes.ts';
import type { Notice } from './process-group.ts';

const missing = missingPostgres();

describe.skipIf(missing !== undefined)(`processes of one PostgreSQL (${missing ?? 'installed'})`, () => {
  let postgres: SharedPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  async function group(databaseUrl: string, options: Partial<ProcessesOptions> = {}) {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (_details: object, message: string) => void warnings.push(message) };
    const defaults = { clock: systemClock, onJoin: () => Promise.resolve(), onNotice: () => undefined, log };
    return { group: await joinProcesses({ databaseUrl, ...defaults, ...options }), warnings };
  }

  test('the first leads; when it ends, another does', async () => {
    const url = postgres.databaseUrl;
    const { group: first } = await group(url);
    await using second = (await group(url)).group;
    expect([first.leads(), second.leads()]).toEqual([true, false]);
    await second.turn();
    expect(second.leads()).toBe(false);
    await first[Symbol.asyncDispose]();
    await expect.poll(async () => second.turn().then(() => second.leads())).toBe(true);
  });

  test('a leader whose session the server ends no longer leads, and joins again', async () => {
    const url = postgres.databaseUrl;
    let joins = 0;
    const onJoin = () => {
      joins += 1;
      return Promise.resolve();
    };
    const { group: first, warnings } = await group(url, { onJoin });
    await using _first = first;
    await using second = (await group(url)).group;
    await endSessions(url, (await sessions(url))[0]);
    await expect.poll(() => first.leads()).toBe(false);
    await expect.poll(async () => second.turn().then(() => second.leads())).toBe(true);
    await first.turn();
    await first.turn();
    expect([first.leads(), joins]).toEqual([false, 2]);
    expect(warnings).toEqual(['the other processes of the database cannot be seen']);
  });

  test('who joins learns whether others are there, and one that is refused is not', async () => {
    const url = postgres.databaseUrl;
    const seen: boolean[] = [];
    const onJoin = (isFirst: boolean) => Promise.resolve(void seen.push(isFirst));
    const first = (await group(url, { onJoin })).group;
    const refusal = new Error('another folder');
    await expect(group(url, { onJoin: () => Promise.reject(refusal) })).rejects.toBe(refusal);
    const second = (await group(url, { onJoin })).group;
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await using _third = (await group(url, { onJoin })).group;
    expect(seen).toEqual([true, false, true]);
  });

  test('a notice wakes the others and not its sender', async () => {
    const url = postgres.databaseUrl;
    const heard: string[] = [];
    const listening = async (name: string) =>
      (await group(url, { onNotice: (notice: Notice) => void heard.push(`${name} ${notice}`) })).group;
    await using one = await listening('one');
    await using _two = await listening('two');
    await using _three = await listening('three');
    for (let count = 0; count < 50; count++) one.announce('jobs');
    one.announce('deliveries');
    await expect.poll(() => new Set(heard)).toEqual(new Set(['two jobs', 'three jobs', 'two deliveries', 'three deliveries']));
    expect(heard.length).toBeLessThan(100);
  });

  test('a clock that differs from that of the database is found out, and so is its repair', async () => {
    const url = postgres.databaseUrl;
    let aheadMs = 11_000;
    const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
    const { group: own, warnings } = await group(url, { clock });
    await using _own = own;
    expect(own.isClockRight()).toBe(false);
    expect(warnings).toEqual(['the clock differs from that of the database: no scan starts and nothing is sent until they agree']);
    aheadMs = -5000;
    await own.turn();
    expect(own.isClockRight()).toBe(true);
    aheadMs = -11_000;
    await own.turn();
    expect(own.isClockRight()).toBe(false);
  });

  test('a leader that stood still for so long that the server may have ended its session does not lead until it knows', async () => {
    const url = postgres.databaseUrl;
    let aheadMs = 0;
    const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    await using own = (await group(url, { clock })).group;
    expect(own.leads()).toBe(true);
    aheadMs = 15_000;
    expect(own.leads()).toBe(false);
    await own.turn();
    expect(own.leads()).toBe(true);
  });

  test('the server ends the session of a process that stands still, and lets another lead', async () => {
    const url = postgres.databaseUrl;
    const { group: own } = await group(url, { silenceMsMax: 50 });
    await using _own = own;
    await expect.poll(() => own.leads()).toBe(false);
    // The session in which it leads again is as short.
    await expect.poll(async () => own.turn().then(() => own.leads()), { interval: 5 }).toBe(true);
  });
});

async function sessions(url: string): Promise<readonly number[]> {
  const isOfGroup = "datname = current_database() and application_name = 'sextant-observability process'";
  return asked(url, `select pid from pg_stat_activity where ${isOfGroup} order by backend_start`);
}

async function endSessions(url: string, pid: number | undefined): Promise<void> {
  await asked(url, `select pg_terminate_backend(${pid})::int as pid`);
}

async function asked(url: string, query: string): Promise<readonly number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(query);
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}
