/** Collections as the protocol describes them. */
import { create } from '@bufbuild/protobuf';
import {
  CollectionExistsResponseSchema,
  CollectionInfoSchema,
  CollectionOperationResponseSchema,
  GetCollectionInfoResponseSchema,
  ListAliasesResponseSchema,
  ListCollectionsResponseSchema,
  OptimizerStatusSchema,
} from '@qdrant/js-client-grpc';
import { writeMessage } from '@sextant/contracts-protocol';
import type { Alias, CollectionInfo } from '@sextant/contracts-vector';
import { writingRules } from './writing-rules.ts';

export function listed({ collections }: { readonly collections: readonly { readonly name: string }[] }, time: number) {
  return create(ListCollectionsResponseSchema, { collections: collections.map(({ name }) => ({ name })), time });
}

export function existing({ exists }: { readonly exists: boolean }, time: number) {
  return create(CollectionExistsResponseSchema, { result: { exists }, time });
}

export function operated(result: boolean, time: number) {
  return create(CollectionOperationResponseSchema, { result, time });
}

export function aliased({ aliases }: { readonly aliases: readonly Alias[] }, time: number) {
  const described = aliases.map(({ alias_name: aliasName, collection_name: collectionName }) => ({ aliasName, collectionName }));
  return create(ListAliasesResponseSchema, { aliases: described, time });
}

export function described(info: CollectionInfo, time: number) {
  const { optimizer_status: optimizer, ...members } = info;
  const result = writeMessage(CollectionInfoSchema, members, writingRules);
  result.optimizerStatus = create(OptimizerStatusSchema, optimizer === 'ok' ? { ok: true } : { ok: false, error: optimizer.error });
  return create(GetCollectionInfoResponseSchema, { result, time });
}
