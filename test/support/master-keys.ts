/** Two master keys of a test that changes one for the other; `k2` of another value, besides. */
export const OLD_KEY = 'k1:OOb5l248rr6xNZYL5OSQfoKIbqsM1CpcCjdczcdo2SY=';
export const NEW_KEY = 'k2:WJNslJTle80AYeD76GqNir8dRo1UK/4Dot6ZognocfM=';
export const OTHER_NEW_KEY = 'k2:dtW1krP5jouN9OnGxXX8udmjnEfegxoZF5IW4iDAxkU=';

/** As MASTER_KEY has them: the first seals. */
export function ring(...keys: string[]): string {
  return keys.join(',');
}
