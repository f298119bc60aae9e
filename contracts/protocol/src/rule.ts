// SPDX-License-Identifier: Apache-2.0
/**
 * Where a message of the protocol and what REST has for the same differ in shape: one rule for both directions, by the name of the message's type.
 * A server reads requests and writes answers, a client writes requests and reads answers.
 */
import type { Message } from '@bufbuild/protobuf';
import type { MessageReader } from './message-reader.ts';

export type Members = { readonly [name: string]: unknown };

export type Rule = {
  /** From the message to JSON; without it, the members of the message are those of the JSON. */
  readonly read?: (message: never, reader: MessageReader) => unknown;
  /**
   * From JSON to the members that the protocol has, or to the message.
   * @param isExact of requests: the message must not say less than the JSON, or anything else
   * @throws Inexpressible
   */
  readonly write?: (json: never, isExact: boolean) => Members | Message;
};

export type Rules = { readonly [typeName: string]: Rule };

/** Members of requests that are parameters of a path or a query string to REST, or nothing to a single server. */
export const BESIDE_BODY: readonly string[] = ['collection_name', 'wait', 'ordering', 'timeout', 'read_consistency'];

/** Members that the protocol calls otherwise than REST wherever they are, and what REST calls them. */
export const REST_NAMES: ReadonlyMap<string, string> = new Map([['shard_key_selector', 'shard_key']]);
/** The other way round. */
export const MEMBER_NAMES: ReadonlyMap<string, string> = new Map(Array.from(REST_NAMES, ([member, name]) => [name, member]));

/** The members of a request that are its body to REST. */
export function readBody(request: Message, reader: MessageReader): Members {
  return reader.members(request, BESIDE_BODY);
}

/** What is chosen of several: a message by its rule, anything else as it is. */
export function readChoice(choice: { readonly case: string | undefined; readonly value?: unknown }, reader: MessageReader): unknown {
  return reader.value(choice.value);
}

/** `orderBy` is `order_by`: the name of a choice as JSON has it. */
export function nameOf(choice: string): string {
  return choice.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function defined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** One, or a list of them. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value : [value];
}
