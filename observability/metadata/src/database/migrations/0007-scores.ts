import type { Migration } from '../migration.ts';

export const scores: Migration = [];
