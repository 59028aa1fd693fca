import { parseIsoInstant } from '../../platform/index.js';

/** @throws RangeError without an offset, or for malformed text */
export function statementInstant(text: string): Date {
  const instant = parseIsoInstant(text);
  if (!instant) throw new RangeError(`Not an ISO 8601 date and time with an offset: '${text}'`);
  return instant;
}
