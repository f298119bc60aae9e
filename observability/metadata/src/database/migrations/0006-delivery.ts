import type { Migration } from '../migration.ts';

export const delivery: Migration = [];
