// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { decodeSparkMessage, encodeSparkMessage } from './codec.ts';
import { type FieldRow, messages, nestedIn } from './messages.ts';

test('what is written is read again, and what is left out is empty', () => {
  const bytes = encodeSparkMessage('ExecutePlanRequest', {
    sessionId: 'a',
    userContext: { userId: 'me' },
    plan: { root: { sql: { query: 'SELECT 1' } } },
    requestOptions: [{ reattachOptions: { reattachable: true } }],
  });
  const read = decodeSparkMessage('ExecutePlanRequest', bytes);
  expect(read.plan?.root?.sql?.query).toBe('SELECT 1');
  expect(read.requestOptions?.[0]?.reattachOptions?.reattachable).toBe(true);
  expect(read.operationId).toBe('');
  expect(decodeSparkMessage('ExecutePlanResponse', new Uint8Array()).resultComplete).toBeUndefined();
});

test('bytes that are no message are refused', () => {
  expect(() => decodeSparkMessage('ConfigResponse', Uint8Array.of(0xff, 0xff))).toThrow();
});

const HOME = fileURLToPath(new URL('../../../../.cache/spark', import.meta.url));
const [PROTO] = globSync(join(HOME, 'lib/python3*/site-packages/pyspark/sql/connect/proto'));

/** The file's descriptor, out of the module of Python that was generated of it. */
function descriptorOf(file: string): readonly DescriptorProto[] {
  const program = [
    'import ast, base64, re, sys',
    'source = open(sys.argv[1]).read()',
    String.raw`text = re.search(r"AddSerializedFile\(\s*(b(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"))", source, re.S).group(1)`,
    'print(base64.b64encode(ast.literal_eval(text)).decode())',
  ].join('\n');
  const base64 = execFileSync(join(HOME, 'bin/python'), ['-c', program, join(PROTO ?? '', file)], { encoding: 'utf8' });
  return fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, 'base64')).messageType;
}

const SCALARS: { readonly [type: number]: string } = {
  [FieldDescriptorProto_Type.STRING]: 'string',
  [FieldDescriptorProto_Type.BYTES]: 'bytes',
  [FieldDescriptorProto_Type.BOOL]: 'bool',
  [FieldDescriptorProto_Type.INT32]: 'int32',
  [FieldDescriptorProto_Type.INT64]: 'int64',
  // Enumerations are read as their numbers.
  [FieldDescriptorProto_Type.ENUM]: 'int32',
};

describe.skipIf(PROTO === undefined)(PROTO === undefined ? 'the protocol (skipped: pyspark is not installed)' : 'the protocol', () => {
  test('of the Python package has every field of the table, by name, number and type', () => {
    const known = new Map<string, DescriptorProto>();
    const add = (outer: string, own: readonly DescriptorProto[]): void => {
      for (const message of own) {
        known.set(`${outer}${message.name}`, message);
        add(`${outer}${message.name}.`, message.nestedType);
      }
    };
    for (const file of ['base_pb2.py', 'relations_pb2.py', 'expressions_pb2.py']) add('', descriptorOf(file));
    for (const [name, fields] of Object.entries<{ readonly [field: string]: FieldRow }>(messages)) {
      const outer = nestedIn[name];
      const message = known.get(outer === undefined ? name : `${outer}.${name}`);
      expect(message, name).toBeDefined();
      for (const [field, [number, type]] of Object.entries(fields)) {
        const found = message?.field.find((one) => one.name === field);
        const isList = found?.label === FieldDescriptorProto_Label.REPEATED;
        const item = SCALARS[found?.type ?? 0] ?? found?.typeName.split('.').at(-1);
        expect([found?.number, `${item}${isList ? '[]' : ''}`], `${name}.${field}`).toEqual([number, type]);
      }
    }
  });
});
