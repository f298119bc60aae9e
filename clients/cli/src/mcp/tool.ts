// SPDX-License-Identifier: Apache-2.0
/** What an agent can call: a name, schemas of what goes in and comes out, and what it does with the services. */
import { strict } from '@sextant/foundation-contract';
import type { ObservabilityClient, VectorClient } from '@sextant/sdk';
import Type, { type Static, type TSchema } from 'typebox';
import type { CommandFailure } from '../failure.ts';

export type ToolServices = { readonly vector: VectorClient; readonly observability: ObservabilityClient };

export type ToolCall = {
  readonly services: ToolServices;
  /** Aborted when the caller takes its call back or the program ends. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the work is, if it asked for that. @param share 0 to 1 */
  readonly report: (share: number, sentence: string) => void;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `write` may replace what is there, `run` only adds to it; both take `dry_run`, and then only say what would happen. */
  readonly kind: 'read' | 'run' | 'write';
  /** Whether calling it twice comes to the same as calling it once. */
  readonly isIdempotent: boolean;
  readonly input: TSchema;
  readonly output: TSchema;
  /** @param input fits the schema. @throws {CommandFailure} or an error of the client, whose sentence the caller gets */
  readonly run: (input: unknown, call: ToolCall) => Promise<object>;
};

type Definition<Input extends TSchema> = Omit<Tool, 'input' | 'run'> & {
  readonly input: Input;
  readonly run: (input: Static<Input>, call: ToolCall) => Promise<object>;
};

/** Ties what `run` takes to the schema that lets it through. */
export function tool<Input extends TSchema>(definition: Definition<Input>): Tool {
  // The server validates every input by the schema before it calls.
  return { ...definition, run: (input, call) => definition.run(input as Static<Input>, call) };
}

export type ToolFailure = Pick<CommandFailure, 'message' | 'advice'>;

export const noInput = strict({});

/** Of texts; which there are, the operator of the vector service says. */
export const modelName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'An embedding model of the vector service, the same for points and searches; Qdrant/bm25 makes sparse vectors',
});
export const collectionName = Type.String({ minLength: 1, maxLength: 255, description: 'The name of a collection' });

/** Also as text, because many programs round integers beyond 2^53. */
export const pointId = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1, maxLength: 45 })], {
  description: 'An unsigned integer (as a string if larger than 2^53) or a UUID',
});

export const dryRun = Type.Optional(Type.Boolean({ description: 'Only report what would happen; nothing is changed' }));

export const filter = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Filter that points must match, such as {"must": [{"key": "color", "match": {"value": "red"}}]}',
  }),
);

export const leftOut = Type.Integer({ minimum: 0, description: 'How many items were left out because the answer would be too long' });
