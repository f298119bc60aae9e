// SPDX-License-Identifier: Apache-2.0
/** The types of an ORC file, a tree whose root is a row: https://orc.apache.org/specification/ORCv1/#type-information */
import { type ColumnType, DECIMAL_DIGITS_MAX, TableError } from '../table.ts';
import { damagedOrc, type OrcMessage } from './message.ts';

/** In the order of their numbers. */
const KINDS = [
  'boolean',
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'float',
  'double',
  'string',
  'binary',
  'timestamp',
  'array',
  'map',
  'struct',
  'uniontype',
  'decimal',
  'date',
  'varchar',
  'char',
  'timestamp with local time zone',
  'geometry',
] as const;
const KIND = 1;
const CHILDREN = 2;
const NAMES = 3;
const PRECISION = 5;
const SCALE = 6;
const COLUMNS_MAX = 65_536;
const DEPTH_MAX = 64;

export type OrcKind = Exclude<(typeof KINDS)[number], 'geometry'>;

export type OrcType = {
  /** Of its streams. */
  readonly id: number;
  readonly kind: OrcKind;
  readonly column: ColumnType;
  readonly children: readonly OrcType[];
  /** Of the children of a struct. */
  readonly names: readonly string[];
};

/** @throws TableError where its rows are no structs, or a type is not read */
export function orcSchema(types: readonly OrcMessage[]): OrcType {
  if (types.length > COLUMNS_MAX) throw new TableError(`has ${types.length} columns with nested ones; the limit is ${COLUMNS_MAX}`);
  const root = new SchemaReader(types).type(0, '', 0);
  if (root.kind !== 'struct') throw new TableError(`has rows that are not structs but of the type ${root.kind}`);
  return root;
}

class SchemaReader {
  readonly #types: readonly OrcMessage[];
  /** Each type has one place in the tree. */
  readonly #placed = new Set<number>();

  constructor(types: readonly OrcMessage[]) {
    this.#types = types;
  }

  type(id: number, column: string, depth: number): OrcType {
    const message = this.#types[id];
    if (message === undefined || this.#placed.has(id)) throw damagedOrc();
    if (depth > DEPTH_MAX) throw new TableError(`has types that are nested more than ${DEPTH_MAX} deep`);
    this.#placed.add(id);
    const kind = kindOf(message, column);
    const names = message.texts(NAMES);
    const children = message
      .numbers(CHILDREN)
      .map((child, index) => this.type(child, depth === 0 ? (names[index] ?? '') : column, depth + 1));
    if (!isCountRight(kind, children.length, names.length)) throw damagedOrc();
    return { id, kind, column: columnType(kind, message, column), children, names };
  }
}

function kindOf(message: OrcMessage, column: string): OrcKind {
  const kind = KINDS[message.number(KIND)];
  if (kind === undefined || kind === 'geometry')
    throw new TableError(`has the column ${column} of the ORC type ${kind ?? message.number(KIND)}, which is not supported`);
  return kind;
}

function isCountRight(kind: OrcKind, children: number, names: number): boolean {
  switch (kind) {
    case 'struct':
      return children === names;
    case 'uniontype':
      return children > 0;
    case 'map':
      return children === 2;
    case 'array':
      return children === 1;
    default:
      return children === 0;
  }
}

function columnType(kind: OrcKind, message: OrcMessage, column: string): ColumnType {
  switch (kind) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'tinyint':
    case 'smallint':
    case 'int':
      return { kind: 'int32' };
    case 'bigint':
      return { kind: 'int64' };
    case 'float':
    case 'double':
      return { kind };
    case 'string':
    case 'varchar':
    case 'char':
      return { kind: 'text' };
    case 'binary':
      return { kind: 'bytes' };
    case 'date':
      return { kind: 'date' };
    case 'decimal':
      return decimalType(message, column);
    case 'timestamp':
    case 'timestamp with local time zone':
      // Years up to 9999, a usual word for no end, do not fit 64 bits of nanoseconds.
      return { kind: 'timestamp', unit: 'MICROS', isUtc: kind !== 'timestamp' };
    case 'struct':
    case 'array':
    case 'map':
    case 'uniontype':
      return { kind: 'json' };
  }
}

function decimalType(message: OrcMessage, column: string): ColumnType {
  const [precision, scale] = [message.number(PRECISION), message.number(SCALE)];
  if (precision === 0) throw new TableError(`has the column ${column} of the ORC type decimal without a precision, which is not supported`);
  if (precision > DECIMAL_DIGITS_MAX || scale > precision) throw damagedOrc();
  return { kind: 'decimal', precision, scale };
}
