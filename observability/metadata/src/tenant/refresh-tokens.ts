export type RotationResult =
  | { readonly kind: 'rotated'; readonly user_id: string }
  /** The token was used before: somebody has a copy, so the whole family is revoked now. */
  | { readonly kind: 'reused'; readonly user_id: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

/** Refresh tokens by hash. A token is used once; its successor belongs to the same family (RFC 9700, section 4.14.2). */
export type RefreshTokenStore = {
  /** Begins a family. @throws MetadataMissing for an unknown user */
  readonly issue: (token: { readonly user_id: string; readonly token_hash: string; readonly expires_at: string }) => Promise<void>;
  readonly rotate: (rotation: {
    readonly token_hash: string;
    readonly successor_hash: string;
    readonly expires_at: string;
  }) => Promise<RotationResult>;
  /** Ends the family of a token: a sign-out. */
  readonly revoke: (tokenHash: string) => Promise<void>;
  readonly revokeAllOf: (userId: string) => Promise<void>;
  readonly deleteExpired: () => Promise<number>;
};
