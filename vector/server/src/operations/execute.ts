// SPDX-License-Identifier: Apache-2.0
/** Runs one request from raw bytes to finished answer, on whichever thread the operation belongs to. */
import { type Endpoint, ServiceError, type UnknownMembers } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import type { DiskRoom } from '@sextant/foundation-service';
import { assert, type Clock } from '@sextant/foundation-std';
import { refuseInCluster } from '../cluster/refused-in-cluster.ts';
import type { FailureLog } from '../failure-log.ts';
import { requireRoom, resourceFault } from '../resources/resource-faults.ts';
import { checkScope, scopeOf } from './collection-scope.ts';
import { decodeCall, decodeInput } from './decode.ts';
import { demandOf } from './demands/demand-of.ts';
import type { AuthContext, Input, OperationReply, OperationRequest, ReadContext, WriteContext } from './operation.ts';
import { isOperation, needsRoom, readOperations, writeOperations } from './registry.ts';
import { errorReply, successReply, withLowercaseStatus } from './reply.ts';
import { type DenseModels, embedTexts } from './texts.ts';

type Surroundings = {
  readonly clock: Clock;
  readonly log: FailureLog;
  readonly unknownMembers: UnknownMembers;
  /** Make dense vectors of texts, where the operator has configured any. */
  readonly dense?: DenseModels | undefined;
};
export type ServingContext = ReadContext & Surroundings;
export type WriterContext = WriteContext &
  AuthContext &
  Surroundings & {
    /** Called again and again while a body is read; may pause the thread for a moment. */
    readonly throttle?: () => void;
    readonly disk: DiskRoom;
  };

export async function execute(request: OperationRequest, context: ServingContext | WriterContext): Promise<OperationReply> {
  const { operation } = request;
  assert(isOperation(operation), `execute: no operation ${operation}`);
  const endpoint: Endpoint = endpoints[operation];
  const startedMs = context.clock.monotonicMs();
  const seconds = () => (context.clock.monotonicMs() - startedMs) / 1000;
  let ofCall: { readonly collection?: string } = {};
  try {
    const input = await decode(endpoint, request, context);
    if (request.call !== undefined) ofCall = namedIn(input);
    const result = await run(request, input, context);
    const answered = request.lowercaseStatus === true ? withLowercaseStatus(endpoint, result) : result;
    return { ...(await successReply(endpoint, answered, seconds())), ...ofCall };
  } catch (error) {
    return { ...errorReply(toClientError(error, endpoint, request, context), endpoint.refusal, seconds()), ...ofCall };
  }
}

async function decode(endpoint: Endpoint, request: OperationRequest, context: ServingContext | WriterContext): Promise<Input<never>> {
  const { call, operation } = request;
  if ('disk' in context && needsRoom(operation)) requireRoom(context.disk, request.body?.length ?? 0);
  return call === undefined
    ? decodeInput(endpoint, request, {
        throttle: 'throttle' in context ? context.throttle : undefined,
        unknownMembers: context.unknownMembers,
      })
    : decodeCall(endpoint, request, call);
}

/** Whether the answer may not be older than what others have; a single replica may be asked as it is. */
function isConsistent({ query: { consistency = '1' } }: Input<never>): boolean {
  return consistency !== '1' && consistency !== '0';
}

/** The path of REST names the collection; of a call, its message does. */
function namedIn(input: Input<never>): { readonly collection?: string } {
  const { collection_name: collection } = input.params as { readonly collection_name?: string };
  return collection === undefined ? {} : { collection };
}

async function run(request: OperationRequest, input: Input<never>, context: ServingContext | WriterContext): Promise<unknown> {
  if (scopeOf(request.principal) !== undefined) await checkScope(request.operation, input, context.engine);
  const demand = demandOf(request.operation, input);
  const admitted = demand && context.engine.admit(demand.collection, demand.make);
  if (admitted !== undefined) await admitted;
  await embedTexts(request.operation, input.body, context.dense);
  const read = readOperations.get(request.operation);
  if (read !== undefined) {
    if ('caughtUp' in context && isConsistent(input)) await context.caughtUp?.();
    return read.run(context, input);
  }
  const write = writeOperations.get(request.operation);
  assert(write !== undefined && 'auth' in context, 'execute: writes are run by the writer');
  if (context.cluster !== undefined) refuseInCluster(request.operation, context.cluster);
  return write.run(context, input);
}

/** The error for the caller: its own, or, where only we can act, the name of what failed; the cause goes to the log. */
function toClientError(
  error: unknown,
  { failure }: Endpoint,
  { operation }: OperationRequest,
  context: ServingContext | WriterContext,
): ServiceError {
  const { log } = context;
  if (error instanceof ServiceError) {
    // A full disk is logged once, when it becomes full.
    if (error.restStatus >= 500 && error.code !== 'disk_full') log.error({ err: error, operation }, error.message);
    return error;
  }
  log.error({ err: error, operation }, `${operation} failed`);
  const fault = resourceFault(error, 'disk' in context ? context.disk : undefined);
  if (fault !== undefined) return fault;
  return new ServiceError(failure, {}, { cause: error });
}
