// SPDX-License-Identifier: Apache-2.0
/** What any log must do, as tests over a factory. `open` opens the log of one test again and again, as several nodes do. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LogTruncatedError, type OperationLog } from './operation-log.ts';

export type LogUnderTest = AsyncDisposable & { readonly open: () => Promise<OperationLog> };

const bytes = (text: string) => new TextEncoder().encode(text);
const entryOf = (text: string) => ({ id: randomUUID(), entry: bytes(text) });
const NOW = { waitMs: 0 };
/** More than any wait of a test; only what hangs takes so long. */
const LONG = { waitMs: 60_000 };

export function describeOperationLog(name: string, subjectOf: () => Promise<LogUnderTest>): void {
  const two = async () => {
    const subject = await subjectOf();
    const logs = [await subject.open(), await subject.open()] as const;
    return {
      logs,
      [Symbol.asyncDispose]: async () => {
        for (const log of logs) await log.close();
        await subject[Symbol.asyncDispose]();
      },
    };
  };
  const texts = async (log: OperationLog, after = 0) => {
    const found = await log.read({ after, ...NOW });
    return found.map(({ position, entry }) => `${position} ${new TextDecoder().decode(entry)}`);
  };

  describe(`operation log: ${name}`, () => {
    test('[L1] what is appended is read by others, whole and in order', async () => {
      await using subject = await two();
      const [one, other] = subject.logs;
      expect(await texts(one)).toEqual([]);
      expect(await one.append(entryOf('a'))).toBe(1);
      expect(await other.append(entryOf(''))).toBe(2);
      const noise = crypto.getRandomValues(new Uint8Array(60_000));
      expect(await one.append({ id: randomUUID(), entry: noise })).toBe(3);
      expect(await texts(other)).toHaveLength(3);
      expect((await texts(other)).slice(0, 2)).toEqual(['1 a', '2 ']);
      expect(Buffer.from((await one.read({ after: 2, ...NOW }))[0]?.entry ?? []).equals(noise)).toBe(true);
      expect(await one.describe()).toMatchObject({ first: 1, last: 3 });
    });

    test('[L2] appends of many nodes at once have one order, without gaps, that grows at its end only', async () => {
      await using subject = await two();
      const [one, other] = subject.logs;
      let known: string[] = [];
      for (let round = 0; round < 5; round++) {
        const appended = [...Array(10).keys()].map((at) => (at % 2 === 0 ? one : other).append(entryOf(`${round}.${at}`)));
        const meanwhile = await texts(other);
        expect(meanwhile.slice(0, known.length)).toEqual(known);
        const positions = (await Promise.all(appended)).toSorted((left, right) => left - right);
        expect(positions).toEqual([...Array(10).keys()].map((at) => round * 10 + at + 1));
        known = await texts(one);
        expect(known.slice(0, meanwhile.length)).toEqual(meanwhile);
      }
      expect(await texts(other)).toEqual(known);
    });

    test('[L3] what is appended again, or twice at once, is there once', async () => {
      await using subject = await two();
      const [one, other] = subject.logs;
      const entry = entryOf('once');
      const positions = await Promise.all([one.append(entry), other.append(entry), one.append(entry), other.append(entry)]);
      expect(new Set(positions)).toEqual(new Set([1]));
      expect(await one.append(entryOf('next'))).toBe(2);
      expect(await other.append(entry)).toBe(1);
      expect(await texts(one)).toEqual(['1 once', '2 next']);
    });

    test('[L4] a reader waits for what another appends, and not for ever', async () => {
      await using subject = await two();
      const [one, other] = subject.logs;
      expect(await one.read({ after: 0, waitMs: 20 })).toEqual([]);
      const waiting = one.read({ after: 0, ...LONG });
      await other.append(entryOf('late'));
      expect(await waiting).toHaveLength(1);
      const ended = one.read({ after: 1, ...LONG });
      await one.close();
      // It ends with its log, one way or the other.
      await ended.catch(() => []);
    });

    test('[L5] truncated entries are refused, and positions go on', async () => {
      await using subject = await two();
      const [one, other] = subject.logs;
      for (const text of ['a', 'b', 'c']) await one.append(entryOf(text));
      await one.truncate({ below: 3 });
      expect(await other.describe()).toMatchObject({ first: 3, last: 3 });
      await expect(other.read({ after: 0, ...NOW })).rejects.toThrow(LogTruncatedError);
      await expect(other.read({ after: 1, ...NOW })).rejects.toThrow(LogTruncatedError);
      expect(await texts(other, 2)).toEqual(['3 c']);
      await one.truncate({ below: 1 });
      await one.truncate({ below: 1000 });
      expect(await other.describe()).toMatchObject({ first: 4, last: 3 });
      await expect(other.read({ after: 2, ...NOW })).rejects.toThrow(LogTruncatedError);
      expect(await texts(other, 3)).toEqual([]);
      expect(await other.append(entryOf('d'))).toBe(4);
      expect(await texts(other, 3)).toEqual(['4 d']);
    });

    test('[L6] all nodes know the log by one id, and another log by another', async () => {
      await using subject = await two();
      await using elsewhere = await two();
      const idOf = async (log: OperationLog) => (await log.describe()).id;
      const [one, other] = subject.logs;
      expect(await idOf(one)).toBe(await idOf(other));
      expect(await idOf(elsewhere.logs[0])).not.toBe(await idOf(one));
    });

    test('[L7] members are known by what they said last, until they are forgotten', async () => {
      await using subject = await two();
      const [one, other] = subject.logs;
      await one.announce({ node: 'b', address: 'http://b', applied: 1, isFull: false });
      await other.announce({ node: 'a', address: 'http://a', applied: 5, isFull: false });
      await one.announce({ node: 'b', address: 'http://b2', applied: 7, isFull: true });
      const members = await other.members();
      expect(members).toMatchObject([
        { node: 'a', address: 'http://a', applied: 5, isFull: false },
        { node: 'b', address: 'http://b2', applied: 7, isFull: true },
      ]);
      for (const { silentMs } of members) expect(silentMs).toBeGreaterThanOrEqual(0);
      expect(await one.forget('a')).toBe(true);
      expect(await one.forget('a')).toBe(false);
      expect((await one.members()).map(({ node }) => node)).toEqual(['b']);
    });
  });
}
