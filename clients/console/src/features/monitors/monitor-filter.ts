/** Which monitors of the tenant are listed, and in which order, as it stands in the address. */

export const MONITOR_KINDS = ['metric', 'expression', 'rule', 'prebuilt'] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

export const KIND_LABELS: { readonly [kind in MonitorKind]: string } = {
  metric: 'metric',
  expression: 'expression',
  rule: 'rule',
  prebuilt: 'pre-built',
};

export const MONITOR_STATES = ['open', 'errored', 'on', 'off'] as const;
export type MonitorState = (typeof MONITOR_STATES)[number];

export const STATE_LABELS: { readonly [state in MonitorState]: string } = {
  open: 'Open incident',
  errored: 'Errored',
  on: 'On',
  off: 'Off',
};

const SORTS = ['name', 'asset', 'kind', 'impact', 'state'] as const;
export type MonitorSort = (typeof SORTS)[number];

export type MonitorFilter = {
  readonly q?: string | undefined;
  /** Its id. */
  readonly asset?: string | undefined;
  readonly kind?: MonitorKind | undefined;
  readonly state?: MonitorState | undefined;
  readonly sort?: MonitorSort | undefined;
  readonly desc?: boolean | undefined;
};

export function monitorFilter(search: Readonly<Record<string, unknown>>): MonitorFilter {
  const { q, asset, desc } = search;
  const kind = MONITOR_KINDS.find((each) => each === search.kind);
  const state = MONITOR_STATES.find((each) => each === search.state);
  const sort = SORTS.find((each) => each === search.sort);
  return {
    // Digits of an address arrive as a number.
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...((typeof asset === 'string' || typeof asset === 'number') && { asset: String(asset) }),
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(sort !== undefined && { sort }),
    ...(desc === true && { desc }),
  };
}
