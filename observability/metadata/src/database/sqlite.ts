// SPDX-License-Identifier: Apache-2.0
/** Kysely's SQLite dialect over the SQLite that Node brings along. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely';
import { MetadataRefused } from '../errors.ts';
import { hasNul, type MetadataDatabase, NUL_REFUSED } from './database.ts';
import type { Schema } from './schema.ts';

const FILE = 'metadata.sqlite';
const BUSY_TIMEOUT_MS = 10_000;
/** SQLITE_FULL and SQLITE_IOERR_SHMSIZE, https://www.sqlite.org/rescode.html */
const NO_ROOM_CODES: ReadonlySet<unknown> = new Set([13, 4874]);
/** Holds the incidents and the inner index pages of a large tenant; with SQLite's 2 MB each query reads them again. */
const CACHE_KIB = 64 * 1024;
/** Statements that are kept prepared; longer ones come from batches whose length varies and would push the others out. */
const CACHED_STATEMENTS = 500;
const CACHED_STATEMENT_LENGTH = 4096;

/** Creates the directory and the file where they are missing. */
export function openSqlite(directory: string): MetadataDatabase {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = openFile(join(directory, FILE));
  // With WAL, FULL syncs the log at every commit: what is acknowledged survives a power cut, https://www.sqlite.org/pragma.html#pragma_synchronous
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  return {
    kysely: new Kysely<Schema>({ dialect: new ImmediateSqliteDialect({ database: adapt(database) }) }),
    // BEGIN IMMEDIATE lets one transaction at a time write, whatever its name.
    lock: () => Promise.resolve(),
    taking: (query) => query,
    holding: (query) => query,
    contains: (column, text) => sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0`,
  };
}

/**
 * With WAL, SQLite makes a file of memory that connections share, also to read. Where the disk has no room for it, this connection takes the database
 * for itself and keeps that memory to itself, so that a service on a full disk can still be read.
 */
function openFile(path: string): DatabaseSync {
  const open = () => new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  const shared = open();
  try {
    shared.exec('PRAGMA journal_mode = WAL');
    return shared;
  } catch (error) {
    shared.close();
    if (!(error instanceof Error && 'errcode' in error && NO_ROOM_CODES.has(error.errcode))) throw error;
  }
  const alone = open();
  alone.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
  return alone;
}

/** Begins transactions as writers: one that turns from reader to writer later could only fail. */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** Where the disk is full SQLite has undone the transaction itself; a second failure would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }
}

/** Node's SQLite in the shape that Kysely expects. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (text) => {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = adaptStatement(database.prepare(text));
      if (text.length <= CACHED_STATEMENT_LENGTH) {
        const oldest = statements.keys().next().value;
        if (statements.size >= CACHED_STATEMENTS && oldest !== undefined) statements.delete(oldest);
        statements.set(text, statement);
      }
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindable(parameters)),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
  };
}

function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  if (hasNul(parameters)) throw new MetadataRefused(NUL_REFUSED);
  // The columns of the schema are text and numbers; SQLite itself refuses what it cannot bind.
  return parameters as SQLInputValue[];
}
