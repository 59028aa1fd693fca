import { types } from 'pg';

/**
 * Has `bigint` columns read as numbers. Money is paise and counters are counts; one past 2^53 would
 * be a mistake elsewhere, and throws rather than being rounded.
 */
export function readBigintsAsNumbers(): void {
  types.setTypeParser(types.builtins.INT8, (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is past the safe integers');
    return value;
  });
}
