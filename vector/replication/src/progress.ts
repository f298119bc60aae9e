// SPDX-License-Identifier: Apache-2.0

/** Up to which position everything is done, where what comes later may be done earlier. */
type Open = { readonly position: number; readonly bytes: number; left: number };

export class Progress {
  #open: Open[] = [];
  #pendingBytes = 0;
  #read: number;

  constructor(position: number) {
    this.#read = position;
  }

  /** The last position that has begun. */
  get read(): number {
    return this.#read;
  }

  /** Every position up to this one is done. */
  get done(): number {
    return (this.#open[0]?.position ?? this.#read + 1) - 1;
  }

  /** Positions that have begun and are not done. */
  get pending(): number {
    return this.#open.length;
  }

  /** What those take. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** @returns what is to be called once for each of the parts when it is done */
  begin(position: number, { parts, bytes }: { readonly parts: number; readonly bytes: number }): () => void {
    const open = { position, bytes, left: parts };
    this.#read = position;
    if (parts === 0) return () => undefined;
    this.#open.push(open);
    this.#pendingBytes += bytes;
    return () => {
      open.left -= 1;
      if (open.left > 0) return;
      this.#open = this.#open.filter(({ left }) => left > 0);
      this.#pendingBytes -= bytes;
    };
  }
}

/** Those who wait until something is so; they look again whenever something has changed. */
export class AwaitedFacts {
  readonly #checks = new Set<() => void>();

  async until(fact: () => boolean): Promise<void> {
    if (fact()) return;
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!fact()) return;
        this.#checks.delete(check);
        resolve();
      };
      this.#checks.add(check);
    });
  }

  changed(): void {
    for (const check of this.#checks) check();
  }
}
