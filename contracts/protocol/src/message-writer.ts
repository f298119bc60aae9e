/**
 * From JSON, as REST has it, to a message of the protocol: the reverse of how a server reads requests. A server writes answers and leaves out
 * what the protocol does not have; a client writes requests, and must not send less than its caller gave, or anything else.
 */
import { create, type DescEnum, type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { numberOf } from './words.ts';

type Members = { readonly [name: string]: unknown };

/** How messages of one type are written, where their members are not what REST calls them: the members that the protocol has, or the message. */
export type WritingRules = { readonly [typeName: string]: (json: never) => Members | Message };

/** The protocol cannot say it, or not exactly. */
export class Inexpressible extends Error {
  override readonly name = 'Inexpressible';
}

/** What the protocol does not have is left out; a word that it does not have is the one that says nothing. */
export function writeMessage<Desc extends DescMessage>(desc: Desc, json: unknown, rules: WritingRules): MessageShape<Desc> {
  return write(desc, json, { rules, isExact: false });
}

/** @throws Inexpressible where the message would not say what the JSON does */
export function writeExactly<Desc extends DescMessage>(desc: Desc, json: unknown, rules: WritingRules): MessageShape<Desc> {
  return write(desc, json, { rules, isExact: true });
}

type Manner = { readonly rules: WritingRules; readonly isExact: boolean };

function write<Desc extends DescMessage>(desc: Desc, json: unknown, manner: Manner): MessageShape<Desc> {
  const rule = manner.rules[desc.typeName];
  // The rules are kept by the names of the types that they give.
  const members = rule === undefined ? (json as Members) : rule(json as never);
  if ('$typeName' in members) return members as MessageShape<Desc>;
  if (manner.isExact) refuseUnknown(desc, members);
  const message = create(desc);
  for (const field of desc.fields) {
    const value = members[field.name];
    if (value !== undefined && value !== null) setField(message, field, writtenValue(field, value, manner));
  }
  return message;
}

function refuseUnknown({ typeName, fields }: DescMessage, members: Members): void {
  if (typeof members !== 'object') throw new Inexpressible(`${typeName} is no ${typeof members}`);
  for (const [name, value] of Object.entries(members)) {
    const isKnown = value === undefined || value === null || fields.some((field) => field.name === name);
    if (!isKnown) throw new Inexpressible(`${typeName} has no ${name}`);
  }
}

/** Generated messages hold each field under its local name, or as the choice of its group. */
function setField(message: Message, field: DescField, value: unknown): void {
  const holder = message as unknown as { [name: string]: unknown };
  if (field.oneof === undefined) holder[field.localName] = value;
  else holder[field.oneof.localName] = { case: field.localName, value };
}

function writtenValue(field: DescField, value: unknown, manner: Manner): unknown {
  switch (field.fieldKind) {
    case 'message':
      return write(field.message, value, manner);
    case 'enum':
      return enumeration(field.enum, value, manner);
    case 'scalar':
      return scalar(field.scalar, value, manner);
    case 'list':
      return (value as readonly unknown[]).map((item) => {
        if (field.listKind === 'message') return write(field.message, item, manner);
        return field.listKind === 'enum' ? enumeration(field.enum, item, manner) : scalar(field.scalar, item, manner);
      });
    case 'map': {
      const entries = Object.entries(value as Members);
      const written = entries.map(([key, item]) => [key, field.mapKind === 'message' ? write(field.message, item, manner) : item]);
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
