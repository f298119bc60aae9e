// SPDX-License-Identifier: Apache-2.0
/** The schema of an Avro file: https://avro.apache.org/docs/1.12.0/specification/ */
import { type ColumnType, DECIMAL_DIGITS_MAX, TableError } from './table.ts';

export type AvroType =
  | { readonly kind: 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'bytes' | 'string'; readonly column: ColumnType }
  | { readonly kind: 'fixed'; readonly size: number; readonly column: ColumnType }
  | { readonly kind: 'enum'; readonly symbols: readonly string[]; readonly column: ColumnType }
  | { readonly kind: 'array'; readonly items: AvroType; readonly column: ColumnType }
  | { readonly kind: 'map'; readonly values: AvroType; readonly column: ColumnType }
  | AvroRecord
  | { readonly kind: 'union'; readonly branches: readonly AvroType[]; readonly column: ColumnType };

export type AvroRecord = { readonly kind: 'record'; readonly fields: readonly AvroField[]; readonly column: ColumnType };
export type AvroField = { readonly name: string; readonly type: AvroType };

const DEPTH_MAX = 64;
const JSON_COLUMN = { kind: 'json' } as const;
const PRIMITIVES = {
  // A column without a value has no type; text takes whatever comes later.
  null: { kind: 'text' },
  boolean: { kind: 'boolean' },
  int: { kind: 'int32' },
  long: { kind: 'int64' },
  float: { kind: 'float' },
  double: { kind: 'double' },
  bytes: { kind: 'bytes' },
  string: { kind: 'text' },
} as const;

/** @throws TableError where it is no schema of records */
export function avroRecord(schema: string): AvroRecord {
  let json: unknown;
  try {
    json = JSON.parse(schema);
  } catch {
    throw unreadable('it is not valid JSON');
  }
  const type = new SchemaReader().type(json, '', 0);
  if (type.kind !== 'record') throw unreadable(`its rows are not records but of the type ${type.kind}`);
  return type;
}

class SchemaReader {
  readonly #named = new Map<string, AvroType>();

  type(schema: unknown, namespace: string, depth: number): AvroType {
    if (depth > DEPTH_MAX) throw unreadable(`its types are nested more than ${DEPTH_MAX} deep`);
    if (typeof schema === 'string') return this.#byName(schema, namespace);
    if (Array.isArray(schema)) return union(schema.map((branch) => this.type(branch, namespace, depth + 1)));
    if (!isObject(schema)) throw unreadable('a type is neither a name nor an object');
    switch (schema.type) {
      case 'array':
        return { kind: 'array', items: this.type(schema.items, namespace, depth + 1), column: JSON_COLUMN };
      case 'map':
        return { kind: 'map', values: this.type(schema.values, namespace, depth + 1), column: JSON_COLUMN };
      case 'enum':
        return this.#define(schema, namespace, { kind: 'enum', symbols: texts(schema.symbols), column: { kind: 'text' } });
      case 'fixed': {
        const { size } = schema;
        if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) throw unreadable('a fixed type has no size');
        return this.#define(schema, namespace, { kind: 'fixed', size, column: logicalType(schema, { kind: 'bytes' }) });
      }
      case 'record':
      case 'error':
        return this.#record(schema, namespace, depth);
      default: {
        const type = this.type(schema.type, namespace, depth + 1);
        return Object.hasOwn(PRIMITIVES, type.kind) ? { ...type, column: logicalType(schema, type.column) } : type;
      }
    }
  }

  #byName(name: string, namespace: string): AvroType {
    if (isPrimitive(name)) return { kind: name, column: PRIMITIVES[name] };
    const found = this.#named.get(fullName(name, namespace)) ?? this.#named.get(name);
    if (found === undefined) throw unreadable(`the type ${JSON.stringify(name)} is not defined`);
    return found;
  }

  #define<Type extends AvroType>(schema: Schema, namespace: string, type: Type): Type {
    this.#named.set(fullName(String(schema.name), namespaceOf(schema, namespace)), type);
    return type;
  }

  /** Its name is known to its own fields: a record may hold others of its kind. */
  #record(schema: Schema, namespace: string, depth: number): AvroRecord {
    const fields: AvroField[] = [];
    const record = this.#define(schema, namespace, { kind: 'record', fields, column: JSON_COLUMN });
    if (!Array.isArray(schema.fields)) throw unreadable('a record has no fields');
    const inner = namespaceOf(schema, namespace);
    for (const field of schema.fields) {
      if (!isObject(field) || typeof field.name !== 'string') throw unreadable('a field has no name');
      fields.push({ name: field.name, type: this.type(field.type, inner, depth + 1) });
    }
    return record;
  }
}

type Schema = { readonly [member: string]: unknown };

/** Of a value or none the column has the type of the value, of numbers the wider one; what else is mixed is JSON. */
function union(branches: readonly AvroType[]): AvroType {
  const kinds = new Set(branches.map(({ kind }) => kind));
  kinds.delete('null');
  const [only, ...others] = branches.filter(({ kind }) => kind !== 'null');
  const isPlain = branches.every(({ kind, column }) => isPrimitive(kind) && PRIMITIVES[kind].kind === column.kind);
  const column = (): ColumnType => {
    if (only === undefined) return PRIMITIVES.null;
    if (others.length === 0) return only.column;
    if (isPlain && kinds.isSubsetOf(new Set(['int', 'long']))) return PRIMITIVES.long;
    if (isPlain && kinds.isSubsetOf(new Set(['int', 'float', 'double']))) return PRIMITIVES.double;
    return JSON_COLUMN;
  };
  return { kind: 'union', branches, column: column() };
}

function logicalType({ logicalType: logical, precision, scale = 0, size }: Schema, plain: ColumnType): ColumnType {
  if (logical === 'date' && plain.kind === 'int32') return { kind: 'date' };
  if ((logical === 'time-millis' && plain.kind === 'int32') || (logical === 'time-micros' && plain.kind === 'int64'))
    return { kind: 'time' };
  if (logical === 'decimal' && plain.kind === 'bytes' && typeof precision === 'number' && typeof scale === 'number') {
    const isWithin = precision >= 1 && precision <= DECIMAL_DIGITS_MAX && scale >= 0 && scale <= precision;
    return isWithin ? { kind: 'decimal', precision, scale } : plain;
  }
  if (logical === 'uuid' && (plain.kind === 'text' || size === 16)) return { kind: 'text' };
  const time = /^(local-)?timestamp-(millis|micros|nanos)$/.exec(String(logical));
  if (time === null || plain.kind !== 'int64') return plain;
  return {
    kind: 'timestamp',
    unit: time[2] === 'millis' ? 'MILLIS' : time[2] === 'micros' ? 'MICROS' : 'NANOS',
    isUtc: time[1] === undefined,
  };
}

function isPrimitive(name: string): name is keyof typeof PRIMITIVES {
  return Object.hasOwn(PRIMITIVES, name);
}

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

function namespaceOf({ name, namespace }: Schema, outer: string): string {
  if (typeof name === 'string' && name.includes('.')) return name.slice(0, name.lastIndexOf('.'));
  return typeof namespace === 'string' ? namespace : outer;
}

function texts(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw unreadable('an enum has no symbols');
  return value;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(why: string): TableError {
  return new TableError(`has an Avro schema that cannot be read: ${why}`);
}
