// SPDX-License-Identifier: Apache-2.0
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
