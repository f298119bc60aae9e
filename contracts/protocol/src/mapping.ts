// SPDX-License-Identifier: Apache-2.0
/** The mapping of the protocol and REST: the rules of both directions, which the server and the client read and write messages by. */
import type { DescMessage, Message, MessageShape } from '@bufbuild/protobuf';
import { MessageReader } from './message-reader.ts';
import { writeMessage } from './message-writer.ts';
import type { Rules } from './rule.ts';
import { answerRules } from './rules/answers.ts';
import { collectionRules } from './rules/collections.ts';
import { filterRules } from './rules/filters.ts';
import { queryRules } from './rules/queries.ts';
import { readRules } from './rules/reads.ts';
import { vectorRules } from './rules/vectors.ts';
import { writeRules } from './rules/writes.ts';

const rules: Rules = {
  ...vectorRules,
  ...filterRules,
  ...queryRules,
  ...readRules,
  ...writeRules,
  ...collectionRules,
  ...answerRules,
};

export function openReader(): MessageReader {
  return new MessageReader(rules);
}

/** The `result` of an answer. */
export function readResult(answer: Message): unknown {
  return (openReader().read(answer) as { readonly result?: unknown }).result;
}

/** An answer: what the protocol does not have is left out; a word that it does not have is the one that says nothing. */
export function writeAnswer<Desc extends DescMessage>(
  desc: Desc,
  answer: { readonly result: unknown; readonly time: number },
): MessageShape<Desc> {
  return writeMessage(desc, answer, { rules, isExact: false });
}

/** @throws Inexpressible where the message would not say what the request does */
export function writeRequest<Desc extends DescMessage>(desc: Desc, request: object): MessageShape<Desc> {
  return writeMessage(desc, request, { rules, isExact: true });
}
