// SPDX-License-Identifier: Apache-2.0
/** Calls of Spark Connect over one channel: https://spark.apache.org/docs/latest/spark-connect-overview.html */
import { Client, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js';
import {
  decodeSparkMessage,
  encodeSparkMessage,
  type SparkCall,
  type SparkMessage,
  type SparkMessageName,
} from '@sextant/contracts-protocol/spark';
import { type Clock, tracePlace } from '@sextant/foundation-std';
import { failureOf } from './spark-error.ts';

export type SparkAddress = {
  /** For people, and the name that a certificate is for. */
  readonly host: string;
  /** Checked; what is connected to. */
  readonly address: string;
  readonly port: number;
  readonly tls: false | { readonly certificateAuthority: string | undefined };
  readonly token: string | undefined;
  /** Of each call, besides. */
  readonly headers?: { readonly [name: string]: string };
};

export type SparkChannel = {
  readonly place: string;
  call<Input extends SparkMessageName, Output extends SparkMessageName>(
    call: SparkCall<Input, Output>,
    message: SparkMessage<Input>,
  ): Promise<SparkMessage<Output>>;
  /** Ends with an error of the library's own; `failureOf` says it in words. */
  stream<Input extends SparkMessageName, Output extends SparkMessageName>(
    call: SparkCall<Input, Output>,
    message: SparkMessage<Input>,
  ): ClientReadableStream<SparkMessage<Output>>;
  readonly close: () => void;
};

/** Of one message; a batch of Arrow has some four megabytes. */
const MESSAGE_BYTES_MAX = 128 * 2 ** 20;
/** Of calls that do not wait for a statement; the first one of a new server makes a session. */
const CALL_TIMEOUT_MS = 60_000;

export function openChannel({ host, address, port, tls, token, headers = {} }: SparkAddress, clock: Clock): SparkChannel {
  const place = `${host}:${port}`;
  const target = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  const certificates = tls !== false && tls.certificateAuthority !== undefined ? Buffer.from(tls.certificateAuthority) : null;
  const client = new Client(target, tls === false ? credentials.createInsecure() : credentials.createSsl(certificates), {
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': 30_000,
    // The connection goes to an address; the certificate is for the name.
    ...(tls === false ? {} : { 'grpc.ssl_target_name_override': host, 'grpc.default_authority': host }),
  });
  const metadataOfCall = () => {
    const metadata = new Metadata();
    if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    const place = tracePlace();
    if (place !== undefined) metadata.set('traceparent', place.traceparent);
    return metadata;
  };
  const codec = <Input extends SparkMessageName, Output extends SparkMessageName>({ input, output }: SparkCall<Input, Output>) =>
    [
      (message: SparkMessage<Input>) => Buffer.from(encodeSparkMessage(input, message)),
      (bytes: Buffer) => decodeSparkMessage(output, bytes),
    ] as const;
  return {
    place,
    call: (call, message) =>
      new Promise((resolve, reject) => {
        const deadline = clock.nowMs() + CALL_TIMEOUT_MS;
        client.makeUnaryRequest(call.path, ...codec(call), message, metadataOfCall(), { deadline }, (error, answer) => {
          if (error !== null || answer === undefined) reject(failureOf(error, place));
          else resolve(answer);
        });
      }),
    stream: (call, message) => client.makeServerStreamRequest(call.path, ...codec(call), message, metadataOfCall()),
    close: () => client.close(),
  };
}
