// SPDX-License-Identifier: Apache-2.0
/** What the vector client knows of gRPC. The code behind it is loaded with the first call, and is no part of a bundle for browsers. */
import type { RequestOptions } from '../http/request-options.ts';

export type GrpcOptions = {
  /** The origin, such as `http://localhost:6574`. */
  readonly address: string;
  readonly credentials: () => Promise<{ readonly [name: string]: string }>;
  readonly headers: { readonly [name: string]: string };
};

/** An operation by its name in the contract; one attempt. */
export type GrpcChannel = {
  /**
   * @returns undefined where the protocol cannot carry the call, or not exactly
   * @throws ApiError, ConnectionError
   */
  call(
    id: string,
    input: GrpcInput,
    options: Pick<RequestOptions, 'signal' | 'headers'>,
  ): Promise<{ readonly result: unknown } | undefined>;
  close(): void;
};

export type GrpcInput = { readonly params?: { readonly [name: string]: unknown } | undefined; readonly body?: object | undefined };

/** Undefined where the platform has no HTTP/2 of its own. */
export type OpenGrpc = ((options: GrpcOptions) => Promise<GrpcChannel>) | undefined;
