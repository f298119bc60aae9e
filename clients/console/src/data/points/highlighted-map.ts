type LitMap = {
  readonly collection: string;
  /** The scan of the collection as an asset. */
  readonly jobId: string;
};

/** What a `Link` needs to lead to the map of a collection with the points lit that a scan found fault with. */
export function litMap({ collection, jobId }: LitMap) {
  return { to: '/collections/$name', params: { name: collection }, search: { tab: 'map', lit: jobId } } as const;
}
