/** What answers searches and can say what that cost it. */

export type Target = {
  /** POST, where it is not said. */
  readonly method?: string;
  readonly port: number;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
};

export type WayInSubject = AsyncDisposable & {
  readonly name: string;
  /** Where searches of the vectors of this position go. */
  target(position: number, withPayload: boolean): Target;
  /** CPU time of its process so far, user and system. */
  cpuMicroseconds(): Promise<number>;
};
