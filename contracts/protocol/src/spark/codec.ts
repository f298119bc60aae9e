// SPDX-License-Identifier: Apache-2.0
/** Messages of Spark Connect as bytes, and their types, by their table. */
import { create, createFileRegistry, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { type FieldRow, messages } from './messages.ts';

type Messages = typeof messages;
export type SparkMessageName = keyof Messages;

type Scalars = {
  readonly string: string;
  readonly bytes: Uint8Array;
  readonly bool: boolean;
  readonly int32: number;
  readonly int64: bigint;
};

type Value<Type> = Type extends `${infer Item}[]`
  ? readonly Value<Item>[]
  : Type extends keyof Scalars
    ? Scalars[Type]
    : Type extends SparkMessageName
      ? SparkMessage<Type>
      : never;

type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;

type Types<Name extends SparkMessageName> = {
  readonly [Field in keyof Messages[Name]]: Messages[Name][Field] extends readonly [number, infer Type] ? Type : never;
};

/** A message that is left out is undefined; what else is left out is empty once it has been read. */
export type SparkMessage<Name extends SparkMessageName> = {
  readonly [Field in keyof Types<Name> as Camel<Field & string>]?: Value<Types<Name>[Field]>;
};

const PACKAGE = 'spark.connect';
const SCALARS: { readonly [type: string]: FieldDescriptorProto_Type | undefined } = {
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  bool: FieldDescriptorProto_Type.BOOL,
  int32: FieldDescriptorProto_Type.INT32,
  int64: FieldDescriptorProto_Type.INT64,
};

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: 'spark/connect/base.proto',
    package: PACKAGE,
    syntax: 'proto3',
    messageType: Object.entries<{ readonly [field: string]: FieldRow }>(messages).map(([name, fields]) => ({
      name,
      field: Object.entries(fields).map(([field, row]) => descriptorOf(field, row)),
    })),
  }),
  () => undefined,
);

function descriptorOf(name: string, [number, type]: FieldRow): FieldDescriptorProto {
  const item = type.replace(/\[\]$/, '');
  const scalar = SCALARS[item];
  return create(FieldDescriptorProtoSchema, {
    name,
    number,
    label: item === type ? FieldDescriptorProto_Label.OPTIONAL : FieldDescriptorProto_Label.REPEATED,
    type: scalar ?? FieldDescriptorProto_Type.MESSAGE,
    ...(scalar === undefined && { typeName: `.${PACKAGE}.${item}` }),
  });
}

function descriptor(name: SparkMessageName): DescMessage {
  const found = registry.getMessage(`${PACKAGE}.${name}`);
  if (found === undefined) throw new Error(`the protocol of Spark Connect has no message ${name}`);
  return found;
}

export function encodeSparkMessage<Name extends SparkMessageName>(name: Name, message: SparkMessage<Name>): Uint8Array {
  const schema = descriptor(name);
  return toBinary(schema, create(schema, message));
}

/** @throws an Error for bytes that are no message */
export function decodeSparkMessage<Name extends SparkMessageName>(name: Name, bytes: Uint8Array): SparkMessage<Name> {
  const message: unknown = fromBinary(descriptor(name), bytes);
  // The descriptor was made of the table that the type follows from.
  return message as SparkMessage<Name>;
}
