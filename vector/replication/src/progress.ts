/** Up to which position everything is done, where what comes later may be done earlier. */
type Open = { readonly position: number; left: number };

export class Progress {
  #open: Open[] = [];
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

  /** Positions that are not done, from the oldest on. */
  get pending(): number {
    return this.#open.length;
  }

  /** @returns what is to be called once for each of the parts when it is done */
  begin(position: number, parts: number): () => void {
    const open = { position, left: parts };
    this.#read = position;
    if (parts > 0) this.#open.push(open);
    return () => {
      open.left -= 1;
      if (open.left === 0) this.#open = this.#open.filter(({ left }) => left > 0);
    };
  }
}
