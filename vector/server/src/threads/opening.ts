// SPDX-License-Identifier: Apache-2.0
/** How a serving thread has the writer open a collection, and keep it open while it is read. */
import { type ErrorCode, type ErrorDetails, ServiceError } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { Catalog, CollectionOpener } from '@sextant/vector-collection';
import type { OperationReply, OperationRequest } from '../operations/operation.ts';
import { CATCH_UP } from './catch-up.ts';
import type { RpcClient } from './rpc.ts';

const OPEN = 'open a collection';
const END = 'end the use of a collection';

type Answer = { readonly use: number } | { readonly refusal: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** @param catchUp has this thread know what the writer has announced */
export function openerVia(writer: () => RpcClient<OperationRequest, OperationReply>, catchUp: () => void): CollectionOpener {
  return {
    open: async (name) => {
      const { body } = await writer().call({ ...CATCH_UP, operation: OPEN, params: { name } });
      // `Openings` has written it.
      const answer = JSON.parse(body) as Answer;
      if ('refusal' in answer) throw new ServiceError(answer.refusal.code, answer.refusal.details);
      catchUp();
      const use = String(answer.use);
      // Where the writer has gone, nothing is open any more.
      return () =>
        void writer()
          .call({ ...CATCH_UP, operation: END, params: { use } })
          .catch(() => undefined);
    },
  };
}

/** The uses that other threads make of collections, on the writer's side. */
export class Openings {
  readonly #catalog: Pick<Catalog, 'hold'>;
  readonly #uses = new Map<number, () => void>();
  #last = 0;

  constructor(catalog: Pick<Catalog, 'hold'>) {
    this.#catalog = catalog;
  }

  /** Undefined of every other request. */
  async answer({ operation, params }: OperationRequest): Promise<OperationReply | undefined> {
    switch (operation) {
      case OPEN:
        return { status: 200, body: JSON.stringify(await this.#open(params.name ?? '')) };
      case END:
        this.#end(Number(params.use));
        return { status: 200, body: '' };
      default:
        return undefined;
    }
  }

  async #open(name: string): Promise<Answer> {
    try {
      const release = await this.#catalog.hold(name);
      const use = ++this.#last;
      this.#uses.set(use, release);
      return { use };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { refusal: { code: error.code, details: error.details } };
    }
  }

  #end(use: number): void {
    const release = this.#uses.get(use);
    assert(release !== undefined, 'a use ends once');
    this.#uses.delete(use);
    release();
  }
}
