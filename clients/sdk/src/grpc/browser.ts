// SPDX-License-Identifier: Apache-2.0
/** Browsers do not speak gRPC: everything goes over REST. */
import type { OpenGrpc } from './port.ts';

export const openGrpc: OpenGrpc = undefined;
