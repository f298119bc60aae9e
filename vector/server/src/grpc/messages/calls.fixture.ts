// SPDX-License-Identifier: Apache-2.0
/** Parts of the protocol's messages, shorter to write, for tests. */
import { type CallInput, readCall } from './calls.ts';

export const id = (value: bigint | string) => ({
  pointIdOptions: typeof value === 'string' ? { case: 'uuid' as const, value } : { case: 'num' as const, value },
});
export const dense = (...data: number[]) => ({
  vectorsOptions: { case: 'vector' as const, value: { vector: { case: 'dense' as const, value: { data } } } },
});
export const keyword = (key: string, value: string) => ({
  conditionOneOf: { case: 'field' as const, value: { key, match: { matchValue: { case: 'keyword' as const, value } } } },
});
export const text = (value: string) => ({ kind: { case: 'stringValue' as const, value } });

/** The body, and what of it the schema was shown. */
export function read(method: string, bytes: Uint8Array): CallInput & { readonly checked: unknown } {
  let checked: unknown;
  const input = readCall(method, bytes, (seen) => {
    checked = structuredClone(seen.body);
  });
  return { ...input, checked };
}
