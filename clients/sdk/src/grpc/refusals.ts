// SPDX-License-Identifier: Apache-2.0
/** Refusals in the words of gRPC, as the errors that the same refusals are over REST. */
import { Code, type ConnectError } from '@connectrpc/connect';
import { vectorErrors } from '../errors/error-codes.generated.ts';
import { matchingRow } from '../errors/error-codes.ts';
import { ConnectionError, type SextantError } from '../errors/errors.ts';
import { refusalOf } from '../errors/refusal.ts';
import { failureOf } from '../http/failure.ts';

/** For sentences that no catalogue has. */
const STATUS: { readonly [code in Code]?: number } = {
  [Code.InvalidArgument]: 400,
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.FailedPrecondition]: 412,
  [Code.ResourceExhausted]: 429,
};

export function grpcError(
  error: ConnectError,
  { address, operation }: { readonly address: string; readonly operation: string },
): SextantError {
  const { code, rawMessage: sentence, metadata } = error;
  const word = Code[code].replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  const row = matchingRow(
    vectorErrors.filter(({ grpc }) => grpc === word),
    sentence,
  );
  const facts = { service: 'vector', operation } as const;
  const status = row?.status ?? STATUS[code] ?? 500;
  if (row === undefined && (code === Code.Unavailable || code === Code.Aborted || code === Code.Canceled)) {
    const { reason, isCertain } = failureOf(error);
    return new ConnectionError(`${operation}: ${address} could not be reached${reason}`, {
      ...facts,
      cause: error,
      mayHaveArrived: !isCertain,
    });
  }
  const seconds = metadata.get('retry-after');
  return refusalOf({
    ...facts,
    status,
    sentence,
    requestId: metadata.get('x-request-id') ?? undefined,
    retryAfterSeconds: seconds === null ? undefined : Number(seconds),
  });
}
