// SPDX-License-Identifier: Apache-2.0

type Query = {
  readonly lookup_from?: { readonly collection: string };
  readonly with_lookup?: { readonly collection: string };
  readonly prefetch?: readonly Query[];
};

/** The collections that a query looks something up in, besides the one that it is about. */
export function lookupsOf(request: Query): readonly string[] {
  const own = [request.lookup_from?.collection, request.with_lookup?.collection].filter((each) => each !== undefined);
  return [...own, ...(request.prefetch ?? []).flatMap(lookupsOf)];
}
