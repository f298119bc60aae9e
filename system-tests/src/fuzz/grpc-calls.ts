// SPDX-License-Identifier: Apache-2.0
/** Sends bytes to any method of the gRPC interface and says how the call ended. */
import { Client, credentials } from '@grpc/grpc-js';

export type Outcome = { readonly code: number; readonly details: string };

export type RawCalls = Disposable & {
  readonly send: (method: string, bytes: Uint8Array) => Promise<Outcome>;
};

/** Only what hangs takes so long. */
const DEADLINE_MS = 60_000;

/** @param address without its scheme */
export function rawCalls(address: string): RawCalls {
  const client = new Client(address, credentials.createInsecure());
  const asIs = (bytes: Buffer) => bytes;
  return {
    send: (method, bytes) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(`/${method}`, asIs, asIs, Buffer.from(bytes), { deadline: Date.now() + DEADLINE_MS }, (error) =>
          resolve(error === null ? { code: 0, details: '' } : { code: error.code, details: error.details }),
        );
      }),
    [Symbol.dispose]: () => client.close(),
  };
}
