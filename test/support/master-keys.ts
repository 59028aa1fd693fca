/** The old and the new master key of a test, and another `k2` with a different value. */
export const OLD_KEY = 'k1:OOb5l248rr6xNZYL5OSQfoKIbqsM1CpcCjdczcdo2SY=';
export const NEW_KEY = 'k2:WJNslJTle80AYeD76GqNir8dRo1UK/4Dot6ZognocfM=';
export const OTHER_NEW_KEY = 'k2:dtW1krP5jouN9OnGxXX8udmjnEfegxoZF5IW4iDAxkU=';

/** In the format of MASTER_KEY: the first key seals. */
export function ring(...keys: string[]): string {
  return keys.join(',');
}
