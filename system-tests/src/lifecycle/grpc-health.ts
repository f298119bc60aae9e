// SPDX-License-Identifier: Apache-2.0
/** The standard health check of gRPC, asked by grpc-js. */
import { type ChannelCredentials, Client } from '@grpc/grpc-js';

const PATH = '/grpc.health.v1.Health/Check';
/** The first field of the answer, a varint: https://github.com/grpc/grpc/blob/master/doc/health-checking.md */
const SERVING = Buffer.from([8, 1]);
const DEADLINE_MS = 10_000;

/** @param host with its port. Rejects where no call gets through. */
export function healthOf(host: string, credentials: ChannelCredentials): Promise<string> {
  // The library asks for no certificate by an address.
  const client = new Client(host, credentials, { 'grpc.ssl_target_name_override': 'localhost' });
  return new Promise<string>((resolve, reject) => {
    const asIs = (message: Buffer) => message;
    client.makeUnaryRequest(PATH, asIs, asIs, Buffer.alloc(0), { deadline: Date.now() + DEADLINE_MS }, (error, answer) => {
      if (error !== null) reject(error);
      else resolve(answer?.equals(SERVING) === true ? 'SERVING' : 'NOT_SERVING');
    });
  }).finally(() => client.close());
}
