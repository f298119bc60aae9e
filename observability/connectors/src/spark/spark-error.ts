// SPDX-License-Identifier: Apache-2.0
/** What Spark and the connection to it say, in words for the person who configured it. */
import { status } from '@grpc/grpc-js';
import { SourceError } from '../connector.ts';

const REASON_LENGTH_MAX = 400;
/** Classes of errors: https://spark.apache.org/docs/latest/sql-error-conditions.html */
const CLASS = /^\[([A-Z0-9_.]+)\] /;

/** An answer of Spark Connect that is no result. */
export class SparkFailure extends SourceError {
  /** Of gRPC. */
  readonly code: number;
  /** Such as `DIVIDE_BY_ZERO`; undefined where Spark says none. */
  readonly errorClass: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly code: number; readonly errorClass: string | undefined }) {
    super(message, options);
    this.code = options.code;
    this.errorClass = options.errorClass;
  }
}

/** `place` is where Spark was looked for. */
export function failureOf(cause: unknown, place: string): SparkFailure {
  const { code, details } = facts(cause);
  const [, errorClass] = CLASS.exec(details.trimStart()) ?? [];
  const hint =
    errorClass?.startsWith('FAILED_READ_FILE') === true
      ? ': it may be damaged, or a line of it does not fit the format or the columns'
      : '';
  return new SparkFailure(`${sentenceOf(code, details, place)}${hint}`, { cause, code, errorClass });
}

function sentenceOf(code: number, details: string, place: string): string {
  switch (code) {
    case status.UNAVAILABLE:
      return `Spark at ${place} cannot be reached`;
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return `Spark at ${place} refused the token`;
    case status.DEADLINE_EXCEEDED:
      return `Spark at ${place} did not answer in time`;
    case status.UNIMPLEMENTED:
      return `${place} does not speak Spark Connect`;
    case status.RESOURCE_EXHAUSTED:
      return `the response of Spark at ${place} exceeds the size limit of a message`;
    default:
      return reasonOf(details);
  }
}

/** What went wrong, without the class, advice about settings, the statement that is ours and stacks. */
function reasonOf(details: string): string {
  const [first = ''] = details.trimStart().replace(CLASS, '').split('\n');
  const plain = first
    .replace(/ SQLSTATE: \w+$/, '')
    .replace(/\.? (?:Use `try_|If necessary set |To tolerate |Correct the value ).*$/, '')
    .replace(/^(?:\w+\.)+(\w+(?:Exception|Error)): /, '')
    .trim()
    .replace(/\.$/, '');
  return plain.length <= REASON_LENGTH_MAX ? plain : `${plain.slice(0, REASON_LENGTH_MAX - 1).toWellFormed()}…`;
}

function facts(cause: unknown): { readonly code: number; readonly details: string } {
  if (!(cause instanceof Error)) return { code: status.UNKNOWN, details: String(cause) };
  const code = 'code' in cause && typeof cause.code === 'number' ? cause.code : status.UNKNOWN;
  const details = 'details' in cause && typeof cause.details === 'string' ? cause.details : cause.message;
  return { code, details };
}
