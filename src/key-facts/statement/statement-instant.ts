import { parseIsoInstant } from '../../platform/index.js';

/**
 * An instant as a statement has it: only with an offset is the text one instant.
 * @throws RangeError when it has none, or is no ISO 8601 date and time
 */
export function statementInstant(text: string): Date {
  const instant = parseIsoInstant(text);
  if (!instant) throw new RangeError(`Not an ISO 8601 date and time with an offset: '${text}'`);
  return instant;
}
