/** What the bench measures: the server over HTTP, or a library inside a process of its own. */

export type Subject = AsyncDisposable & {
  readonly name: string;
  /** Stores and indexes every point. */
  build(): Promise<Build>;
  /** One search for each query, one after the other. */
  search(selection: number): Promise<SearchRun>;
  /** Resident memory of the subject's process, points and graph included. */
  residentBytes(): Promise<number>;
};

export type Build = {
  /** Until the last point was acknowledged; undefined where storing and indexing are one. */
  readonly uploadSeconds: number | undefined;
  /** Until every point is in the graph. */
  readonly seconds: number;
};

export type SearchRun = {
  readonly latenciesMs: readonly number[];
  readonly answers: readonly (readonly number[])[];
};
