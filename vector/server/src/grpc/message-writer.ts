/**
 * From what REST answers to a message of the protocol: the reverse of `message-reader.ts`, for answers of many members. A member that the
 * protocol does not have is left out.
 */
import { create, type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { numberOf } from './words.ts';

type Members = { readonly [name: string]: unknown };

/** How messages of one type are written, where their members are not what REST calls them: the members that the protocol has, or the message. */
export type WritingRules = { readonly [typeName: string]: (json: never) => Members | Message };

const WIDE: ReadonlySet<ScalarType> = new Set([ScalarType.INT64, ScalarType.UINT64]);

export function writeMessage<Desc extends DescMessage>(desc: Desc, json: unknown, rules: WritingRules): MessageShape<Desc> {
  const rule = rules[desc.typeName];
  // The rules are kept by the names of the types that they give.
  const members = rule === undefined ? (json as Members) : rule(json as never);
  if ('$typeName' in members) return members as MessageShape<Desc>;
  const message = create(desc);
  for (const field of desc.fields) {
    const value = members[field.name];
    if (value !== undefined && value !== null) setField(message, field, writtenValue(field, value, rules));
  }
  return message;
}

/** Generated messages hold each field under its local name, or as the choice of its group. */
function setField(message: Message, field: DescField, value: unknown): void {
  const holder = message as unknown as { [name: string]: unknown };
  if (field.oneof === undefined) holder[field.localName] = value;
  else holder[field.oneof.localName] = { case: field.localName, value };
}

function writtenValue(field: DescField, value: unknown, rules: WritingRules): unknown {
  switch (field.fieldKind) {
    case 'message':
      return writeMessage(field.message, value, rules);
    case 'enum':
      return numberOf(field.enum, String(value));
    case 'scalar':
      return scalar(field.scalar, value);
    case 'list':
      return (value as readonly unknown[]).map((item) => {
        if (field.listKind === 'message') return writeMessage(field.message, item, rules);
        return field.listKind === 'enum' ? numberOf(field.enum, String(item)) : scalar(field.scalar, item);
      });
    case 'map': {
      const entries = Object.entries(value as Members);
      const written = entries.map(([key, item]) => [key, field.mapKind === 'message' ? writeMessage(field.message, item, rules) : item]);
      return Object.fromEntries(written);
    }
  }
}

function scalar(type: ScalarType, value: unknown): unknown {
  return WIDE.has(type) && typeof value === 'number' ? BigInt(Math.trunc(value)) : value;
}
