// SPDX-License-Identifier: Apache-2.0
/** What a store refuses, in a form that a caller can act on. */

export type ObjectKind =
  | 'tenant'
  | 'user'
  | 'API key'
  | 'project'
  | 'connection'
  | 'asset'
  | 'schedule'
  | 'upload'
  | 'job'
  | 'monitor'
  | 'notification channel'
  | 'alert'
  | 'incident'
  | 'delivery'
  | 'ticket'
  | 'ticket template'
  | 'tracker connection'
  | 'metric point'
  | 'proposed cell'
  | 'suggested rule';

/** There is no such object in this tenant; a server answers 404. */
export class MetadataMissing extends Error {
  override readonly name = 'MetadataMissing';
  readonly kind: ObjectKind;
  readonly id: string;

  constructor(kind: ObjectKind, id: string | number) {
    super(`There is no ${kind} ${JSON.stringify(String(id))}.`);
    this.kind = kind;
    this.id = String(id);
  }
}

/** What is stored stands in the way; the message says what. A server answers 409. */
export class MetadataConflict extends Error {
  override readonly name = 'MetadataConflict';
  readonly kind: ObjectKind;

  constructor(kind: ObjectKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A value that cannot be stored or a question that asks for too much; the message is for the caller. A server answers 400. */
export class MetadataRefused extends Error {
  override readonly name = 'MetadataRefused';
}
