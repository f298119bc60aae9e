// SPDX-License-Identifier: Apache-2.0
/** The databases that every suite runs on, and what a suite starts from. */
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, sharedPostgres, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe } from 'vitest';
import type { MetadataLocation } from '../database/open-database.ts';
import { type Metadata, openMetadata, type TenantMetadata } from '../metadata.ts';
import { ENCRYPTION_KEY, START_MS } from './samples.conformance.ts';

export type Fixture = {
  readonly clock: ReturnType<typeof manualClock>;
  readonly metadata: () => Metadata;
  /** A tenant of this test alone. */
  readonly tenant: () => Promise<TenantMetadata>;
  readonly location: () => MetadataLocation;
};

/** Calls the suites with a database of SQLite. */
export function onSqlite(suites: (fixture: Fixture) => void): void {
  describe('on SQLite', () => suites(fixtureOf(openSqlite)));
}

/** Calls the suites with a database of a real PostgreSQL, whose server is shared; skips them where none is installed. */
export function onPostgresql(suites: (fixture: Fixture) => void): void {
  const missing = missingPostgres();
  describe.skipIf(missing !== undefined)(`on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
    suites(fixtureOf(openPostgresql));
  });
}

type Place = AsyncDisposable & { readonly location: MetadataLocation };

async function openSqlite(): Promise<Place> {
  const directory = await temporaryDirectory();
  return { location: { directory: directory.path }, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

async function openPostgresql(): Promise<Place> {
  const server = await sharedPostgres();
  return { location: { databaseUrl: server.databaseUrl }, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function fixtureOf(openPlace: () => Promise<Place>): Fixture {
  const clock = manualClock(START_MS);
  const open = new AsyncDisposableStack();
  let place: Place | undefined;
  let metadata: Metadata | undefined;
  let tenants = 0;
  beforeAll(async () => {
    place = open.use(await openPlace());
    metadata = open.use(await openMetadata(place.location, { clock, randomBytes, encryptionKey: ENCRYPTION_KEY }));
  });
  afterAll(() => open.disposeAsync());
  return {
    clock,
    metadata: () => opened(metadata),
    location: () => opened(place).location,
    tenant: async () => {
      tenants += 1;
      const id = `tenant-${tenants}`;
      await opened(metadata).platform.tenants.create({ id, name: `Tenant ${tenants}` });
      return opened(metadata).forTenant(id);
    },
  };
}

function opened<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('the database is open only while tests run');
  return thing;
}
