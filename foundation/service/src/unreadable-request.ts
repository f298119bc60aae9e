// SPDX-License-Identifier: Apache-2.0
/** Requests that no route ever sees. */
import type { Socket } from 'node:net';

/** A request that is no HTTP, has too long a head, or never ends: answered on the bare socket, which is then closed. */
export function refuseUnreadable(bodyOf: (refusal: { readonly status: string; readonly reason: string }) => object) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return;
    const [status, reason] = UNREADABLE[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP'];
    const body = JSON.stringify(bodyOf({ status, reason }));
    const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n`;
    socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
}

/** By the codes of Node's HTTP parser and server. */
const UNREADABLE: { readonly [code: string]: readonly [status: string, reason: string] } = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the address and headers of the request together exceed 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};
