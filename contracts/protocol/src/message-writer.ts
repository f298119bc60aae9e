// SPDX-License-Identifier: Apache-2.0
/**
 * From JSON, as REST has it, to a message of the protocol: the reverse of how a server reads requests. A server writes answers and leaves out
 * what the protocol does not have; a client writes requests, and must not send less than its caller gave, or anything else.
 */
import { create, type DescEnum, type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { Inexpressible } from './inexpressible.ts';
import { MEMBER_NAMES, type Members, type Rules } from './rule.ts';
import { numberOf } from './words.ts';

type Manner = { readonly rules: Rules; readonly isExact: boolean };

export function writeMessage<Desc extends DescMessage>(desc: Desc, json: unknown, manner: Manner): MessageShape<Desc> {
  const rule = manner.rules[desc.typeName]?.write;
  // The rules are kept by the names of the types that they give.
  const members = rule === undefined ? (json as Members) : rule(json as never, manner.isExact);
  if ('$typeName' in members) return members as MessageShape<Desc>;
  const fields = fieldsOf(desc);
  const message = create(desc);
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value === undefined || value === null) continue;
    const field = fields.get(name) ?? fields.get(MEMBER_NAMES.get(name) ?? name);
    if (field !== undefined) setField(message, field, writtenValue(field, value, manner), manner);
    else if (manner.isExact) throw new Inexpressible(`${desc.typeName} has no ${name}`);
  }
  return message;
}

const fieldsByType = new Map<DescMessage, ReadonlyMap<string, DescField>>();

/** By their names in the protocol. */
function fieldsOf(desc: DescMessage): ReadonlyMap<string, DescField> {
  const known = fieldsByType.get(desc);
  if (known !== undefined) return known;
  const fields = new Map(desc.fields.map((field) => [field.name, field]));
  fieldsByType.set(desc, fields);
  return fields;
}

/** Generated messages hold each field under its local name, or as the choice of its group. */
function setField(message: Message, { localName, name, oneof }: DescField, value: unknown, { isExact }: Manner): void {
  const holder = message as unknown as { [name: string]: unknown };
  if (oneof === undefined) {
    holder[localName] = value;
    return;
  }
  const { case: taken } = holder[oneof.localName] as { readonly case?: string };
  if (isExact && taken !== undefined) throw new Inexpressible(`${name} beside ${taken}`);
  holder[oneof.localName] = { case: localName, value };
}

function writtenValue(field: DescField, value: unknown, manner: Manner): unknown {
  switch (field.fieldKind) {
    case 'message':
      return writeMessage(field.message, value, manner);
    case 'enum':
      return enumeration(field.enum, value, manner);
    case 'scalar':
      return scalar(field.scalar, value, manner);
    case 'list':
      return (value as readonly unknown[]).map((item) => {
        if (field.listKind === 'message') return writeMessage(field.message, item, manner);
        return field.listKind === 'enum' ? enumeration(field.enum, item, manner) : scalar(field.scalar, item, manner);
      });
    case 'map': {
      const entries = Object.entries(value as Members);
      const written = entries.map(([key, item]) => [key, field.mapKind === 'message' ? writeMessage(field.message, item, manner) : item]);
      return Object.fromEntries(written);
    }
  }
}

function enumeration(desc: DescEnum, value: unknown, { isExact }: Manner): number {
  const number = numberOf(desc, String(value));
  if (number === undefined && isExact) throw new Inexpressible(`${desc.typeName} has no ${String(value)}`);
  return number ?? 0;
}

const WIDE: ReadonlySet<ScalarType> = new Set([ScalarType.INT64, ScalarType.UINT64]);

function scalar(type: ScalarType, value: unknown, { isExact }: Manner): unknown {
  const written = WIDE.has(type) && typeof value === 'number' ? BigInt(Math.trunc(value)) : value;
  if (!isExact) return written;
  if (typeof written === 'bigint' && !WIDE.has(type)) return exactNumber(written);
  const isSame = WIDE.has(type) ? Number(written) === Number(value) : type !== ScalarType.FLOAT || Math.fround(Number(value)) === value;
  if (!isSame) throw new Inexpressible(`${String(value)} is not exact in the protocol`);
  return written;
}

function exactNumber(value: bigint): number {
  const number = Number(value);
  if (BigInt(number) !== value) throw new Inexpressible(`${value} is not exact in the protocol`);
  return number;
}
