// SPDX-License-Identifier: Apache-2.0
/**
 * Who may make a call is decided by its metadata, before its message is read: until then nothing is asked of the stream, and HTTP/2 holds the client back
 * after the first window. A call that was let in is asked again when its message is there, because a credential may have ended meanwhile.
 */
import { type Metadata, ResponderBuilder, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder } from '@grpc/grpc-js';
import type { Call } from '@sextant/contracts-protocol';
import { type Endpoint, isServed, ServiceError } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import type { Caller, Principal } from '../auth/auth.ts';
import { callerOf } from './caller.ts';
import type { GrpcServerOptions } from './grpc-server.ts';
import type { Refusal } from './status.ts';

export type Admit = (method: string, call: Call, caller: Caller) => Promise<Principal>;

/** Throws for callers and calls that are not let in. */
export function createAdmission({ authorise, service, config }: GrpcServerOptions): Admit {
  const enabled = new Set(config.capabilities);
  return async (method, { operation }, caller) => {
    const state = service.state();
    if (state === 'loading') throw new ServiceError('engine_not_initialized');
    if (state === 'closing') throw new ServiceError('shutting_down');
    const endpoint: Endpoint = endpoints[operation];
    if (!isServed(endpoint, enabled)) throw new ServiceError('not_implemented', { endpoint: method });
    return authorise(caller, endpoint.needs);
  };
}

/** @param admitted answers the refusal of a call that is not let in; calls that need no permission are let in */
export function admissionInterceptor(
  admitted: (
    method: string,
    caller: Caller,
    arriving: { readonly metadata: Metadata; readonly peer: string },
  ) => Promise<Refusal | undefined>,
): ServerInterceptor {
  return ({ path }, call) => {
    const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, letIn) => {
      const peer = call.getPeer();
      void admitted(path.slice(1), callerOf(metadata, peer), { metadata, peer }).then((refusal) => {
        if (refusal === undefined) letIn(metadata);
        else call.sendStatus(refusal);
      });
    });
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener.build())).build());
  };
}
