// SPDX-License-Identifier: Apache-2.0
/** Answers of gRPC as REST would have given them: the protocol cannot tell an empty payload from none, but the request can. */
export type Members = { readonly [name: string]: unknown };
type Hit = { readonly payload?: unknown };

/** By operation: the result with payloads where its request, the body of REST, asks for them. The others have none. */
export const withPayloads: { readonly [operation: string]: ((result: never, body: Members) => unknown) | undefined } = {
  retrieve_points: (points: readonly Hit[], body) => shown(points, body, true),
  scroll_points: ({ points, ...page }: { readonly points: readonly Hit[] }, body) => ({ points: shown(points, body, true), ...page }),
  search_points: shownHits,
  recommend_points: shownHits,
  discover_points: shownHits,
  search_batch: ofEach(shownHits),
  recommend_batch: ofEach(shownHits),
  discover_batch: ofEach(shownHits),
  query_points: shownPoints,
  query_batch: ofEach(shownPoints),
  search_groups: shownGroups,
  recommend_groups: shownGroups,
  query_groups: shownGroups,
};

function shown(points: readonly Hit[], { with_payload: asked }: Members, isShownUnasked: boolean): readonly Hit[] {
  const isShown = asked === undefined || asked === null ? isShownUnasked : asked !== false;
  if (isShown) return points;
  return points.map((point) => {
    const { payload: _, ...bare } = point;
    return bare;
  });
}

function shownHits(hits: readonly Hit[], body: Members) {
  return shown(hits, body, false);
}

function shownPoints({ points }: { readonly points: readonly Hit[] }, body: Members) {
  return { points: shownHits(points, body) };
}

function ofEach<Result>(show: (result: Result, body: Members) => unknown) {
  return (results: readonly Result[], { searches }: Members) =>
    results.map((result, index) => show(result, (searches as readonly Members[])[index] ?? {}));
}

type Groups = { readonly groups: readonly { readonly hits: readonly Hit[]; readonly lookup?: Hit }[] };

function shownGroups({ groups }: Groups, body: Members): Groups {
  const { with_lookup: lookup } = body;
  const asked = typeof lookup === 'string' ? {} : ((lookup ?? {}) as Members);
  return {
    groups: groups.map(({ hits, lookup: found, ...group }) => {
      const [point] = found === undefined ? [] : shown([found], asked, true);
      return { ...group, hits: shownHits(hits, body), ...(point !== undefined && { lookup: point }) };
    }),
  };
}
