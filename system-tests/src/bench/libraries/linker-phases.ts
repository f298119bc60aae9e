/** What the thread of the indexer tells the threads beside it; before the first of them, they wait. */
export const LINKING = 1;
export const DONE = 2;
