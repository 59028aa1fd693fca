import type { ValueTransformer } from 'typeorm';

/** An amount in a `bigint` column: whole paise. An unsafe number throws rather than being rounded. */
export const paise: ValueTransformer = {
  to(amount: number | null | undefined) {
    if (amount === null || amount === undefined) return amount;
    if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is no amount of paise`);
    return amount;
  },
  /** The driver reads a `bigint` as a number already, or throws. */
  from: (amount: number | null) => amount,
};
