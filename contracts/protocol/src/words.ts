// SPDX-License-Identifier: Apache-2.0
/** Values of the protocol's enumerations, and the words that REST has for them. */
import type { DescEnum } from '@bufbuild/protobuf';

/** Undefined for the values that say nothing; a number that the protocol does not know is itself, for a schema to refuse. */
export function wordOf(desc: DescEnum, number: number): string | undefined {
  const name = desc.values.find((value) => value.number === number)?.name;
  return name === undefined ? String(number) : wordFor(desc, name);
}

/** The number of a word; undefined for a word that the protocol does not have. */
export function numberOf(desc: DescEnum, word: string): number | undefined {
  return desc.values.find(({ name }) => wordFor(desc, name) === word)?.number;
}

/** Those that REST writes as the protocol does. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(['Distance', 'CompressionRatio', 'ReplicaState']);

/** `OneAndHalfBits` is `one_and_half_bits`. */
function wordFor({ name: type }: DescEnum, name: string): string | undefined {
  if (/^(?:Unknown|MemoryUnknown$|Default$)/.test(name)) return undefined;
  if (AS_THEY_ARE.has(type)) return name;
  return name
    .replace(type, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase();
}
